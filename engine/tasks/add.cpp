#include <algorithm>

#include "engine/core/shown_name.h"
#include "engine/tasks/registry.h"
#include "engine/tasks/scores.h"
#include "engine/tasks/text_pieces.h"

// 57+8 -> 65. The model reads and writes every number with all its digits, 057+008 -> 0065: then a
// place value has one position. People see no leading zeros.

namespace tp {
namespace {

constexpr TaskInfo kInfo = {.name = "add",
                            .kind = TaskKind::encoder_decoder,
                            .material = Material::none,
                            .summary = "Add two numbers, carrying as on paper."};

constexpr int kMostDigits = 8;

struct Parameters {
  int digits = 3;
  bool ones_first = false;  // write the answer from its last digit on, as one does on paper
};

class AddTask final : public Task {
 public:
  explicit AddTask(const Parameters& parameters)
      : Task(kInfo), digits_(parameters.digits), ones_first_(parameters.ones_first) {
    source_ = target_ = Vocabulary(Vocabulary::Marks::three);
    for (char digit : std::string_view("0123456789")) {
      source_.add({&digit, 1});
      target_.add({&digit, 1});
    }
    plus_ = source_.add("+");
    by_character_ = true;
    sizes_.source = 2 * digits_ + 1;
    sizes_.target = digits_ + 1;
  }

  void sample(Split split, std::uint64_t seed, std::uint64_t index,
              Example& example) const override {
    Rng rng = example_rng(split, seed, index);
    example.clear();
    do {
      example.source.clear();
      for (int i = 0; i < sizes_.source; ++i) {
        example.source.push_back(i == digits_ ? plus_ : digit_id(rng.below(10)));
      }
    } while (split_of(example.source) != split);
    solve(example);
  }

  Parsed parse(std::string_view text) const override;

  std::string source_text(const Example& example) const override {
    const std::string all = source_.join(example.source, "");
    const std::size_t plus = all.find('+');
    if (plus == std::string::npos) return all;
    return without_zeros(all.substr(0, plus)) + "+" + without_zeros(all.substr(plus + 1));
  }
  Depiction depict(const Example&) const override { return {.digits = true}; }
  std::string answer_text(const Answer& answer) const override {
    std::string digits = target_.join(answer.tokens, "");
    if (ones_first_) std::reverse(digits.begin(), digits.end());
    return without_zeros(digits);
  }
  Metric metric() const override { return {.name = "digits_right", .more_is_better = true}; }
  double score(const Answer& expected, const Answer& produced) const override {
    return position_accuracy(expected.tokens, produced.tokens);
  }

 private:
  int digit_id(std::uint32_t digit) const { return source_.marks() + static_cast<int>(digit); }

  static std::string without_zeros(std::string_view number) {
    const std::size_t first = number.find_first_not_of('0');
    if (first == std::string_view::npos) return number.empty() ? "" : "0";
    return std::string(number.substr(first));
  }

  // Where the digit of worth 10^place stands.
  int in_first(int place) const { return digits_ - 1 - place; }
  int in_second(int place) const { return sizes_.source - 1 - place; }
  int in_answer(int place) const { return ones_first_ ? place : digits_ - place; }

  void solve(Example& example) const {
    example.target.resize(sizes_.target);
    int carry = 0;
    for (int place = 0; place <= digits_; ++place) {
      int sum = carry;
      if (place < digits_) {
        sum += example.source[in_first(place)] + example.source[in_second(place)];
        sum -= 2 * source_.marks();
      }
      example.target[in_answer(place)] = target_.marks() + sum % 10;
      carry = sum / 10;
    }
    for (int output = 0; output <= digits_; ++output) link(output, example);
  }

  // A digit comes from the two above it, and its carry from the two beside them.
  void link(int output, Example& example) const {
    const int place = ones_first_ ? output : digits_ - output;
    for (bool first : {true, false}) {
      for (int p : {place, place - 1}) {
        if (p < 0 || p >= digits_) continue;
        example.add_link(output, first ? in_first(p) : in_second(p));
      }
    }
  }

  int digits_;
  bool ones_first_;
  int plus_;
};

Parsed AddTask::parse(std::string_view text) const {
  std::string sum;
  for (std::string_view word : split_words(text)) sum += word;
  const std::size_t plus = sum.find('+');
  const bool digits_only = sum.find_first_not_of("0123456789+") == std::string::npos;
  if (!digits_only || plus == std::string::npos || sum.rfind('+') != plus || plus == 0 ||
      plus + 1 == sum.size()) {
    return {Error{"\"" + shown_text(trimmed(text)) +
                      "\" is not a sum of two numbers: type one, for example 57+8.",
                  "두 수의 덧셈이 아닙니다. 예를 들어 57+8 처럼 입력해 주십시오."}};
  }
  Example example;
  for (std::string number : {sum.substr(0, plus), sum.substr(plus + 1)}) {
    number = without_zeros(number);
    const int length = static_cast<int>(number.size());
    if (length > digits_) {
      Parsed parsed{Error{number + " has more than " + std::to_string(digits_) +
                              " digits: type a smaller number, or train for more digits.",
                          "자릿수가 너무 많습니다: " + number + ", 최대 " +
                              std::to_string(digits_) +
                              "자리. 더 작은 수를 입력하거나 더 많은 자릿수로 학습해 주십시오."}};
      const std::size_t longest = std::max(plus, sum.size() - plus - 1);  // zeros count as digits
      if (longest <= kMostDigits) parsed.remedy = {{"digits", static_cast<int>(longest)}};
      return parsed;
    }
    if (!example.source.empty()) example.source.push_back(plus_);
    example.source.insert(example.source.end(), digits_ - length, digit_id(0));
    for (char digit : number) {
      example.source.push_back(digit_id(static_cast<std::uint32_t>(digit - '0')));
    }
  }
  solve(example);
  return {std::move(example)};
}

class AddRecipe final : public TaskRecipe {
 public:
  Properties properties() override {
    // Of one digit there are a hundred sums, too few to hold any back.
    return {integer("digits", parameters_.digits, 2, kMostDigits),
            toggle("ones_first", parameters_.ones_first)};
  }
  TaskResult make(std::string_view) const {
    return std::unique_ptr<const Task>(std::make_unique<AddTask>(parameters_));
  }

 private:
  Parameters parameters_;
};

}  // namespace

TaskEntry add_task() { return {kInfo, make_recipe<AddRecipe>}; }
TaskMaker add_maker() { return make_with<AddRecipe>; }

}  // namespace tp
