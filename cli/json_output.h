#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// One object a line on stdout, for programs.

namespace tp::cli {

// Builds {"name": value, ...}; texts that are not UTF-8 are mended.
class JsonLine {
 public:
  JsonLine& text(std::string_view name, std::string_view value);
  // What is not finite is null.
  JsonLine& number(std::string_view name, double value);
  JsonLine& count(std::string_view name, std::uint64_t value);
  JsonLine& truth(std::string_view name, bool value);
  // A value that is JSON already.
  JsonLine& raw(std::string_view name, std::string_view value);

  std::string object() const { return "{" + members_ + "}"; }
  // Prints it, at once.
  void print() const;

 private:
  std::string members_;
};

}  // namespace tp::cli
