#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// The ways in which people write a day.

namespace tp::date {

struct Day {
  int year, month, day;
  bool operator==(const Day&) const = default;
};

int days_in_month(int year, int month);
int weekday(const Day& day);  // 0 is Sunday

enum class Tongue { numbers, english, korean };

// Signs of a pattern:
//   %Y 2024  %y 24  %N 이천이십사      %M 3  %m 03  %B March  %b Mar  %n 삼
//   %D 5     %d 05  %O 5th   %e 오     %W Tuesday  %w Tue  %K 화요일  %k 화
struct Form {
  Tongue tongue;
  std::string_view pattern;
};
std::span<const Form> forms();

// Characters [begin, end) of what was written; empty when there are none.
struct Stretch {
  int begin = 0, end = 0;
  bool empty() const { return begin == end; }
};

// Where a number stands, and each of its digits by place value (ones first). A digit that is not
// written by itself has an empty stretch.
struct Field {
  Stretch whole;
  std::array<Stretch, 4> digits;
};

// Within the object itself, as one is made for every example.
struct Written {
  std::array<char, 64> bytes;
  int size = 0;
  int characters = 0;
  Field year, month, day;

  std::string_view text() const { return {bytes.data(), static_cast<std::size_t>(size)}; }
};

// Of years with two digits, 50 to 99 are in the twentieth century.
inline constexpr int kFirstShortYear = 1950, kLastShortYear = 2049;
bool can_write(const Form& form, const Day& day);

Written write(const Form& form, const Day& day);

// The day that a text says and the form it says it in. Empty when it says none, or more than one.
struct Reading {
  Form form;
  Day day;
};
inline constexpr int kFirstYear = 1900, kLastYear = 2099;
std::optional<Reading> read(std::string_view text);

// Every text that any form is made of, for a vocabulary.
std::string all_characters();

}  // namespace tp::date
