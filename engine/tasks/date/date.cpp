#include <algorithm>
#include <array>

#include "engine/core/utf8.h"
#include "engine/tasks/date/forms.h"
#include "engine/tasks/registry.h"
#include "engine/tasks/text_pieces.h"
#include "engine/text/hangul.h"

// Tuesday, March 5, 2024 -> 2024-03-05, character by character.

namespace tp {
namespace {

using date::Day;

constexpr TaskInfo kInfo = {.name = "date",
                            .kind = TaskKind::encoder_decoder,
                            .material = Material::none,
                            .summary = "Write a day, however it was written, as 2024-03-05."};

enum class Forms { all, numbers, english, korean };

struct Parameters {
  Forms forms = Forms::all;
  int first_year = date::kFirstShortYear;
  int last_year = date::kLastShortYear;
};

constexpr int kLongestSource = 29;  // Wednesday, September 30, 2026

// Of 2024-03-05: which number an output character belongs to, and its place value there.
struct OutputField {
  date::Field date::Written::*field;
  int begin, end;
};
constexpr OutputField kOutputs[] = {
    {&date::Written::year, 0, 4}, {&date::Written::month, 5, 7}, {&date::Written::day, 8, 10}};
constexpr int kOutputLength = 10;

class DateTask final : public Task {
 public:
  explicit DateTask(const Parameters& parameters) : Task(kInfo), parameters_(parameters) {
    source_ = Vocabulary(Vocabulary::Marks::four);
    const std::string characters = date::all_characters();
    for (std::string_view character : split_characters(characters)) {
      source_.add(character);
    }
    target_ = Vocabulary(Vocabulary::Marks::four);
    for (std::string_view character : split_characters("0123456789-")) target_.add(character);
    for (const date::Form& form : date::forms()) {
      const bool chosen = parameters.forms == Forms::all ||
                          static_cast<int>(parameters.forms) == static_cast<int>(form.tongue) + 1;
      if (chosen) forms_.push_back(form);
    }
    by_character_ = true;
    sizes_.source = kLongestSource;
    sizes_.target = kOutputLength;
  }

  // Held out are days: no held-out day occurs in training in any form.
  void sample(Split split, std::uint64_t seed, std::uint64_t index,
              Example& example) const override {
    Rng rng = example_rng(split, seed, index);
    const auto between = [&rng](int first, int last) {
      return first + static_cast<int>(rng.below(last - first + 1));
    };
    Day day;
    do {
      day.year = between(parameters_.first_year, parameters_.last_year);
      day.month = between(1, 12);
      day.day = between(1, date::days_in_month(day.year, day.month));
    } while (split_of(std::array{day.year, day.month, day.day}) != split);
    const date::Form* form;
    do {
      form = &forms_[rng.below(static_cast<std::uint32_t>(forms_.size()))];
    } while (!date::can_write(*form, day));
    write(*form, day, example);
  }

  Parsed parse(std::string_view text) const override {
    const std::string composed = compose_hangul(trimmed(text));
    Example example;
    for (std::string_view character : split_characters(composed)) {
      const int id = source_.find(character);
      if (id < 0) return unknown_word(character, source_);
      example.source.push_back(id);
    }
    if (example.source.empty()) {
      return {Error{"there is no date: type one, for example March 5, 2024.",
                    "날짜가 없습니다. 예를 들어 2024년 3월 5일 처럼 입력해 주십시오."}};
    }
    if (static_cast<int>(example.source.size()) > sizes_.source) {
      return {Error{"a date of " + std::to_string(example.source.size()) +
                        " characters is longer than any known form, which have at most " +
                        std::to_string(sizes_.source) + ": write it shorter.",
                    "아는 형식보다 깁니다. 글자 수: " + std::to_string(example.source.size()) +
                        ", 최대: " + std::to_string(sizes_.source) + ". 짧게 적어 주십시오."}};
    }
    if (const auto reading = date::read(composed)) write(reading->form, reading->day, example);
    return {std::move(example)};
  }

  std::string source_text(const Example& example) const override {
    return source_.join(example.source, "");
  }
  std::string answer_text(const Answer& answer) const override {
    return target_.join(answer.tokens, "");
  }
  Metric metric() const override { return {.name = "fields_right", .more_is_better = true}; }

  // Of year, month and day.
  double score(const Answer& expected, const Answer& produced) const override {
    if (produced.tokens.size() != expected.tokens.size()) return 0;
    int right = 0;
    for (const OutputField& output : kOutputs) {
      right +=
          std::equal(expected.tokens.begin() + output.begin, expected.tokens.begin() + output.end,
                     produced.tokens.begin() + output.begin);
    }
    return right / 3.0;
  }

 private:
  void write(const date::Form& form, const Day& day, Example& example) const {
    example.clear();
    const date::Written written = date::write(form, day);
    std::string_view rest = written.text();
    while (!rest.empty()) {
      const std::string_view whole = rest;
      next_code_point(rest);
      example.source.push_back(source_.find(whole.substr(0, whole.size() - rest.size())));
    }

    const int dash = target_.find("-");
    example.target.assign(kOutputLength, dash);
    const int numbers[] = {day.year, day.month, day.day};
    for (std::size_t i = 0; i < std::size(kOutputs); ++i) {
      const OutputField& output = kOutputs[i];
      int number = numbers[i];
      for (int at = output.end - 1; at >= output.begin; --at, number /= 10) {
        example.target[at] = target_.marks() + number % 10;
      }
      for (int at = output.begin; at < output.end; ++at) {
        link(at, written.*output.field, output.end - 1 - at, example);
      }
    }
  }

  // A digit comes from the sign that says it; where none does (the 03 of March), from the field.
  static void link(int output, const date::Field& field, int place, Example& example) {
    const date::Stretch& digit = field.digits[place];
    const date::Stretch& from = digit.empty() ? field.whole : digit;
    for (int at = from.begin; at < from.end; ++at) example.add_link(output, at);
  }

  Parameters parameters_;
  std::vector<date::Form> forms_;
};

class DateRecipe final : public TaskRecipe {
 public:
  Properties properties() override {
    return {choice("forms", parameters_.forms, {"all", "numbers", "english", "korean"}),
            integer("first_year", parameters_.first_year, 1900, 2099),
            integer("last_year", parameters_.last_year, 1900, 2099)};
  }
  TaskResult make(std::string_view) const {
    if (parameters_.last_year - parameters_.first_year < 3) {
      return Error{
          "first_year " + std::to_string(parameters_.first_year) + " and last_year " +
              std::to_string(parameters_.last_year) +
              " leave too few days to hold any back: take them at least 3 years apart.",
          "검증용으로 남겨 둘 날짜가 모자랍니다. 첫해와 마지막 해를 3년 이상 벌려 주십시오."};
    }
    return std::unique_ptr<const Task>(std::make_unique<DateTask>(parameters_));
  }

 private:
  Parameters parameters_;
};

}  // namespace

TaskEntry date_task() { return {kInfo, make_recipe<DateRecipe>}; }
TaskMaker date_maker() { return make_with<DateRecipe>; }

}  // namespace tp
