#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/session/archive.h"

// Visits every field of a message by the list that its codec follows, so that a test of all fields
// needs no list of its own.

namespace tp::test {

struct Anything {
  template <class T>
  operator T() const;
};

template <class T, class... Values>
constexpr std::size_t members_of() {
  if constexpr (requires { T{Values{}..., Anything{}}; }) {
    return members_of<T, Values..., Anything>();
  } else {
    return sizeof...(Values);
  }
}

// How many fields a struct of T lists, of itself and not of what it holds; `wrong` gets a struct
// that lists another number than it has.
class Counter {
 public:
  template <class... T>
  void operator()(T&... values) {
    count_ += sizeof...(T);
    (look_into(values), ...);
  }
  template <class T>
  void check(T& value) {
    Counter own;
    own.all_agree_ = all_agree_;
    fields(own, value);
    all_agree_ = own.all_agree_ && own.count_ == members_of<T>();
  }
  bool all_agree() const { return all_agree_; }

 private:
  template <class T>
  void look_into(std::vector<T>&) {
    if constexpr (std::is_class_v<T>) {
      T one{};
      look_into(one);
    }
  }
  template <class T>
  void look_into(std::optional<T>&) {
    T one{};
    look_into(one);
  }
  void look_into(std::string&) {}
  template <class T>
  void look_into(T& value) {
    if constexpr (std::is_class_v<T>) check(value);
  }

  std::size_t count_ = 0;
  bool all_agree_ = true;
};

template <class T>
bool lists_all_members() {
  T value{};
  Counter counter;
  counter.check(value);
  return counter.all_agree();
}

// Gives every number, text, list and choice a value of its own that no default has.
class Filler {
 public:
  template <class... T>
  void operator()(T&... values) {
    (fill(values), ...);
  }

 private:
  int next() { return ++last_ % 120 + 1; }
  void fill(bool& value) { value = true; }
  void fill(std::byte& value) { value = static_cast<std::byte>(next()); }
  void fill(std::string& value) { value = "text " + std::to_string(next()); }
  template <class T>
  void fill(std::vector<T>& values) {
    values.resize(2);
    for (T& value : values) fill(value);
  }
  template <class T>
  void fill(std::optional<T>& value) {
    fill(value.emplace());
  }
  template <class T>
  void fill(T& value) {
    if constexpr (std::is_enum_v<T>) {
      value = last_of(T{});
    } else if constexpr (std::is_arithmetic_v<T>) {
      value = static_cast<T>(next());
    } else {
      fields(*this, value);
    }
  }

  int last_ = 0;
};

template <class T>
T filled() {
  T value{};
  Filler filler;
  filler(value);
  return value;
}

template <class T>
std::vector<std::byte> bytes_of(const T& value) {
  Writer writer;
  writer(value);
  return writer.take();
}

}  // namespace tp::test
