#include "engine/tasks/date/forms.h"

#include <algorithm>

#include "engine/core/check.h"
#include "engine/core/utf8.h"

namespace tp::date {
namespace {

constexpr Form kForms[] = {
    {Tongue::numbers, "%Y-%m-%d"},         {Tongue::numbers, "%Y/%M/%D"},
    {Tongue::numbers, "%m/%d/%Y"},         {Tongue::numbers, "%d.%m.%Y"},
    {Tongue::numbers, "%Y%m%d"},           {Tongue::english, "%D %B %Y"},
    {Tongue::english, "%B %D, %Y"},        {Tongue::english, "%D %b %Y"},
    {Tongue::english, "%b %D, %Y"},        {Tongue::english, "%B %O, %Y"},
    {Tongue::english, "the %O of %B %Y"},  {Tongue::english, "%W, %B %D, %Y"},
    {Tongue::english, "%w, %D %b %Y"},     {Tongue::english, "%D %b '%y"},
    {Tongue::korean, "%Y년 %M월 %D일"},    {Tongue::korean, "%Y. %M. %D."},
    {Tongue::korean, "%Y년 %M월 %D일 %K"}, {Tongue::korean, "%Y. %M. %D. (%k)"},
    {Tongue::korean, "%y년 %M월 %D일"},    {Tongue::korean, "%N년 %n월 %e일"},
};

constexpr std::string_view kMonths[] = {"January",   "February", "March",    "April",
                                        "May",       "June",     "July",     "August",
                                        "September", "October",  "November", "December"};
constexpr std::string_view kWeekdays[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                          "Thursday", "Friday", "Saturday"};
constexpr std::string_view kKoreanWeekdays[] = {"일", "월", "화", "수", "목", "금", "토"};
constexpr std::string_view kKoreanDigits[] = {"",   "일", "이", "삼", "사",
                                              "오", "육", "칠", "팔", "구"};
constexpr std::string_view kKoreanPlaces[] = {"", "십", "백", "천"};
constexpr int kPowers[] = {1, 10, 100, 1000};

int digit(int number, int place) { return number / kPowers[place] % 10; }

std::string_view ordinal_ending(int day) {
  if (day / 10 == 1) return "th";
  return day % 10 == 1 ? "st" : day % 10 == 2 ? "nd" : day % 10 == 3 ? "rd" : "th";
}

class Writer {
 public:
  explicit Writer(Written& out) : out_(out) {}

  // Text that belongs to no field.
  Stretch put(std::string_view text) {
    const int begin = out_.characters;
    TP_CHECK(out_.text().size() + text.size() <= out_.bytes.size(), "a form is too long");
    std::copy(text.begin(), text.end(), out_.bytes.begin() + out_.size);
    out_.size += static_cast<int>(text.size());
    while (!text.empty()) {
      next_code_point(text);
      ++out_.characters;
    }
    return {begin, out_.characters};
  }

  void put_name(std::string_view name, Field& field) { field.whole = put(name); }

  // The last `places` digits.
  void put_digits(int number, int places, Field& field) {
    field.whole.begin = out_.characters;
    for (int place = places - 1; place >= 0; --place) {
      const char sign = static_cast<char>('0' + digit(number, place));
      field.digits[place] = put({&sign, 1});
    }
    field.whole.end = out_.characters;
  }

  void put_shortest(int number, Field& field) { put_digits(number, number < 10 ? 1 : 2, field); }

  // 2024 is 이천이십사: a digit and its place; one is not said before a place.
  void put_korean(int number, Field& field) {
    field.whole.begin = out_.characters;
    for (int place = 3; place >= 0; --place) {
      const int value = digit(number, place);
      if (value == 0) continue;
      Stretch stretch = {out_.characters, 0};
      if (value > 1 || place == 0) put(kKoreanDigits[value]);
      put(kKoreanPlaces[place]);
      stretch.end = out_.characters;
      field.digits[place] = stretch;
    }
    field.whole.end = out_.characters;
  }

 private:
  Written& out_;
};

void put_sign(char sign, const Day& day, Writer& writer, Written& out) {
  switch (sign) {
    case 'Y':
      return writer.put_digits(day.year, 4, out.year);
    case 'y':
      return writer.put_digits(day.year, 2, out.year);
    case 'N':
      return writer.put_korean(day.year, out.year);
    case 'M':
      return writer.put_shortest(day.month, out.month);
    case 'm':
      return writer.put_digits(day.month, 2, out.month);
    case 'B':
      return writer.put_name(kMonths[day.month - 1], out.month);
    case 'b':
      return writer.put_name(kMonths[day.month - 1].substr(0, 3), out.month);
    case 'n':  // June and October lose their final consonant
      if (day.month == 6) return writer.put_name("유", out.month);
      if (day.month == 10) return writer.put_name("시", out.month);
      return writer.put_korean(day.month, out.month);
    case 'D':
      return writer.put_shortest(day.day, out.day);
    case 'd':
      return writer.put_digits(day.day, 2, out.day);
    case 'O':
      writer.put_shortest(day.day, out.day);
      writer.put(ordinal_ending(day.day));
      return;
    case 'e':
      return writer.put_korean(day.day, out.day);
    case 'W':
      writer.put(kWeekdays[weekday(day)]);
      return;
    case 'w':
      writer.put(kWeekdays[weekday(day)].substr(0, 3));
      return;
    case 'K':
      writer.put(kKoreanWeekdays[weekday(day)]);
      writer.put("요일");
      return;
    case 'k':
      writer.put(kKoreanWeekdays[weekday(day)]);
      return;
    default:
      TP_CHECK(false, "a pattern has an unknown sign");
  }
}

// What a sign can stand for.
struct SignValues {
  std::string_view signs;
  int Day::*field;
  int first, last;
};
constexpr SignValues kSignValues[] = {
    {"YN", &Day::year, kFirstYear, kLastYear},
    {"y", &Day::year, kFirstShortYear, kLastShortYear},
    {"MmBbn", &Day::month, 1, 12},
    {"DdOe", &Day::day, 1, 31},
};

// Reading is trying what writing would give.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  void try_form(const Form& form) {
    form_ = form;
    go_on(form.pattern, text_, {kFirstYear, 1, 1}, -1);
  }
  std::optional<Reading> found() const { return contradicted_ ? std::nullopt : found_; }

 private:
  // `day` and `weekday` are what was understood so far.
  void go_on(std::string_view pattern, std::string_view text, const Day& day, int weekday) {
    const std::size_t at = pattern.find('%');
    const std::string_view before = pattern.substr(0, at);
    if (!text.starts_with(before)) return;
    text.remove_prefix(before.size());
    if (at == std::string_view::npos) {
      if (text.empty()) keep(day, weekday);
      return;
    }
    const char sign = pattern[at + 1];
    pattern.remove_prefix(at + 2);
    const auto go_on_if_said = [&](const Day& sample, const Day& next, int next_weekday) {
      Written written;
      Writer writer(written);
      put_sign(sign, sample, writer, written);
      const std::string_view said = written.text();
      if (text.starts_with(said)) go_on(pattern, text.substr(said.size()), next, next_weekday);
    };
    for (const SignValues& values : kSignValues) {
      if (values.signs.find(sign) == std::string_view::npos) continue;
      for (int value = values.first; value <= values.last; ++value) {
        Day sample = {2000, 1, 1}, next = day;
        sample.*values.field = next.*values.field = value;
        go_on_if_said(sample, next, weekday);
      }
      return;
    }
    for (int i = 0; i < 7; ++i) go_on_if_said({2023, 1, 1 + i}, day, i);  // which began on a Sunday
  }

  void keep(const Day& day, int weekday) {
    if (day.day > days_in_month(day.year, day.month)) return;
    if (weekday >= 0 && weekday != date::weekday(day)) return;
    contradicted_ |= found_ && found_->day != day;
    if (!found_) found_ = Reading{form_, day};
  }

  std::string_view text_;
  Form form_ = {};
  std::optional<Reading> found_;
  bool contradicted_ = false;
};

}  // namespace

int days_in_month(int year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return kDays[month - 1] + (month == 2 && leap);
}

// Counting years from March on puts the leap day last; then the days before a month follow one
// table (Sakamoto's method).
int weekday(const Day& day) {
  constexpr int kBefore[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
  const int year = day.year - (day.month < 3);
  return (year + year / 4 - year / 100 + year / 400 + kBefore[day.month - 1] + day.day) % 7;
}

std::span<const Form> forms() { return kForms; }

bool can_write(const Form& form, const Day& day) {
  const bool is_short = form.pattern.find("%y") != std::string_view::npos;
  return !is_short || (day.year >= kFirstShortYear && day.year <= kLastShortYear);
}

Written write(const Form& form, const Day& day) {
  Written written;
  Writer writer(written);
  std::string_view rest = form.pattern;
  while (!rest.empty()) {
    const std::size_t sign = rest.find('%');
    writer.put(rest.substr(0, sign));
    if (sign == std::string_view::npos) break;
    put_sign(rest[sign + 1], day, writer, written);
    rest.remove_prefix(sign + 2);
  }
  return written;
}

std::optional<Reading> read(std::string_view text) {
  Reader reader(text);
  for (const Form& form : kForms) reader.try_form(form);
  return reader.found();
}

std::string all_characters() {
  std::string text = "0123456789";
  for (const Form& form : kForms) {
    for (std::size_t i = 0; i < form.pattern.size(); ++i) {
      if (form.pattern[i] == '%') {
        ++i;
      } else {
        text += form.pattern[i];
      }
    }
  }
  for (std::string_view name : kMonths) text += name;
  for (std::string_view name : kWeekdays) text += name;
  for (std::string_view name : kKoreanWeekdays) text += name;
  for (std::string_view name : kKoreanDigits) text += name;
  for (std::string_view name : kKoreanPlaces) text += name;
  text += "요일유시stndrdth";
  return text;
}

}  // namespace tp::date
