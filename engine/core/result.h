#pragma once

#include <string>
#include <utility>
#include <variant>

#include "engine/core/check.h"

namespace tp {

// What was wrong with something from outside, and what to do about it, in one sentence. What a
// visitor of the page can meet is said in Korean too; elsewhere that is empty.
struct Error {
  std::string message;
  std::string korean = {};
};

// A value or an Error. Ask ok() before value().
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }

  T& value() {
    TP_CHECK(ok(), "value() of a Result that holds an error");
    return *std::get_if<T>(&state_);
  }
  const T& value() const { return const_cast<Result*>(this)->value(); }

  const Error& error() const {
    TP_CHECK(!ok(), "error() of a Result that holds a value");
    return *std::get_if<Error>(&state_);
  }

 private:
  std::variant<T, Error> state_;
};

struct Done {};
using Status = Result<Done>;

}  // namespace tp
