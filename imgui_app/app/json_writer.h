#pragma once

#include <string>
#include <string_view>
#include <type_traits>

namespace tp::ui {

// Writes JSON as it is told, front to back. What is no number in JSON becomes null, what is no
// UTF-8 becomes U+FFFD.
class JsonWriter {
 public:
  template <class Contents>
  void object(Contents contents) {
    open('{');
    contents();
    close('}');
  }
  template <class Contents>
  void array(Contents contents) {
    open('[');
    contents();
    close(']');
  }
  template <class Contents>
  void object(std::string_view name, Contents contents) {
    key(name);
    object(contents);
  }
  template <class Contents>
  void array(std::string_view name, Contents contents) {
    key(name);
    array(contents);
  }

  void text(std::string_view value);
  void number(double value);
  void boolean(bool value) { raw(value ? "true" : "false"); }
  void null() { raw("null"); }

  template <class Value>
  void field(std::string_view name, const Value& value) {
    key(name);
    if constexpr (std::is_same_v<Value, bool>) {
      boolean(value);
    } else if constexpr (std::is_arithmetic_v<Value>) {
      number(static_cast<double>(value));
    } else {
      text(value);
    }
  }
  void key(std::string_view name);

  std::string take() { return std::move(text_); }

 private:
  void separate();
  void raw(std::string_view value);
  void quote(std::string_view value);
  void open(char bracket);
  void close(char bracket);

  std::string text_;
  bool first_ = true;  // of the object or array that is open
};

}  // namespace tp::ui
