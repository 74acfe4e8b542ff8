#include <algorithm>
#include <array>

#include "engine/tasks/registry.h"
#include "engine/tasks/text_pieces.h"

// (())() is balanced, ())(() is not; with two kinds neither is ([)].

namespace tp {
namespace {

constexpr TaskInfo kInfo = {.name = "balance",
                            .kind = TaskKind::token_classifier,
                            .material = Material::none,
                            .summary = "Does every bracket that opens close, in the right order?"};

constexpr std::string_view kBrackets = "()[]{}";  // each opening one is even, its partner odd
constexpr int kLongest = 64;
enum Label { kUnbalanced, kBalanced };

struct Parameters {
  int kinds = 1;
  int min_length = 2;
  int max_length = 20;
};

// Balanced rows of `length` brackets: Catalan(length / 2) * kinds^(length / 2), up to what matters.
bool enough_to_split(int length, int kinds) {
  std::uint64_t rows = 1;
  for (int n = 0; n < length / 2; ++n) {
    rows = rows * 2 * (2 * n + 1) / (n + 2) * kinds;
    if (rows >= kEnoughToSplit) return true;
  }
  return rows >= kEnoughToSplit;
}

class BalanceTask final : public Task {
 public:
  explicit BalanceTask(const Parameters& parameters)
      : Task(kInfo), parameters_(parameters), shortest_held_out_(parameters.min_length) {
    by_character_ = true;
    source_ = Vocabulary(Vocabulary::Marks::three);
    for (int i = 0; i < 2 * parameters.kinds; ++i) source_.add(kBrackets.substr(i, 1));
    classes_ = {"unbalanced", "balanced"};
    sizes_.source = parameters.max_length;
    sizes_.outputs = 2;
    while (!enough_to_split(shortest_held_out_, parameters.kinds)) shortest_held_out_ += 2;
  }

  // The class first, so that both are equally likely whatever is held out.
  void sample(Split split, std::uint64_t seed, std::uint64_t index,
              Example& example) const override {
    Rng rng = example_rng(split, seed, index);
    example.clear();
    example.label = static_cast<int>(rng.below(2));
    const int shortest = split == Split::held_out ? shortest_held_out_ : parameters_.min_length;
    const int lengths = (parameters_.max_length - shortest) / 2 + 1;
    const int length = shortest + 2 * static_cast<int>(rng.below(lengths));
    example.source.resize(length);
    do {
      draw_balanced(rng, example.source);
      if (example.label == kUnbalanced) spoil(rng, example.source);
    } while (is_balanced(example.source) != (example.label == kBalanced) ||
             (length >= shortest_held_out_ && split_of(example.source) != split));
  }

  Parsed parse(std::string_view text) const override {
    Example example;
    for (std::string_view word : split_words(text)) {
      for (std::string_view bracket : split_characters(word)) {
        const int id = source_.find(bracket);
        if (id < 0) return unknown_word(bracket, source_);
        example.source.push_back(id);
      }
    }
    if (example.source.empty()) {
      return {Error{"there are no brackets: type some, for example (()).",
                    "괄호가 없습니다. 예를 들어 (()) 처럼 입력해 주십시오."}};
    }
    const int length = static_cast<int>(example.source.size());
    const std::string count = std::to_string(length);
    if (length > sizes_.source) {
      const std::string longest = std::to_string(sizes_.source);
      Parsed parsed{Error{count + " brackets are more than it is trained for, at most " + longest +
                              ": type fewer, or train for more.",
                          "학습한 것보다 깁니다. 괄호 수: " + count + ", 최대: " + longest +
                              ". 줄이거나 더 긴 길이로 학습해 주십시오."}};
      if (length <= kLongest) parsed.remedy = {{"max_length", length + length % 2}};
      return parsed;
    }
    example.label = is_balanced(example.source) ? kBalanced : kUnbalanced;
    Parsed parsed{std::move(example)};
    if (length >= 2 && length < parameters_.min_length) {
      const std::string least = std::to_string(parameters_.min_length);
      parsed.untrained =
          Error{count + " brackets are fewer than it is trained for, at least " + least +
                    ": expect mistakes.",
                "학습한 것보다 짧아 틀리기 쉽습니다. 괄호 수: " + count + ", 최소: " + least + "."};
      parsed.remedy = {{"min_length", length - length % 2}};
    }
    return parsed;
  }

  std::string source_text(const Example& example) const override {
    return source_.join(example.source, "");
  }
  std::string answer_text(const Answer& answer) const override {
    return answer.label < 0 ? "" : classes_[answer.label];
  }
  // The depth of a pair; what closes nothing, the wrong kind, or never, is -1.
  Depiction depict(const Example& example) const override {
    Depiction drawn;
    drawn.depths.assign(example.source.size(), -1);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < example.source.size(); ++i) {
      if (!closes(example.source[i])) {
        open.push_back(i);
      } else if (!open.empty() && example.source[open.back()] + 1 == example.source[i]) {
        const auto depth = static_cast<std::int32_t>(open.size()) - 1;
        drawn.depths[open.back()] = drawn.depths[i] = depth;
        open.pop_back();
      }
    }
    return drawn;
  }
  Metric metric() const override { return {.name = "right", .more_is_better = true}; }
  double score(const Answer& expected, const Answer& produced) const override {
    return expected.label == produced.label ? 1 : 0;
  }

 private:
  int bracket(int kind, bool closes) const { return source_.marks() + 2 * kind + closes; }
  bool closes(int id) const { return (id - source_.marks()) % 2 == 1; }

  // All shapes equally likely. With `left` brackets to come and `depth` open ones there are
  //   N(left, depth) = (depth + 1) / (left + 1) * choose(left + 1, (left - depth) / 2)
  // ways to go on, and so the next one opens with probability
  //   N(left - 1, depth + 1) / N(left, depth) = (depth + 2)(left - depth) / (2 (depth + 1) left).
  void draw_balanced(Rng& rng, std::vector<int>& row) const {
    std::array<int, kLongest> open;  // their kinds
    int depth = 0;
    const int length = static_cast<int>(row.size());
    for (int i = 0; i < length; ++i) {
      const int left = length - i;
      const bool opens =
          static_cast<int>(rng.below(2 * (depth + 1) * left)) < (depth + 2) * (left - depth);
      if (opens) {
        open[depth] = static_cast<int>(rng.below(parameters_.kinds));
        row[i] = bracket(open[depth++], false);
      } else {
        row[i] = bracket(open[--depth], true);
      }
    }
  }

  // Mostly by very little, so that counting is not enough.
  void spoil(Rng& rng, std::vector<int>& row) const {
    const auto anywhere = [&] { return rng.below(static_cast<std::uint32_t>(row.size())); };
    const auto any_bracket = [&] {
      return source_.marks() + static_cast<int>(rng.below(2 * parameters_.kinds));
    };
    switch (rng.below(5)) {
      case 0:  // two change places
        std::swap(row[anywhere()], row[anywhere()]);
        break;
      case 1:  // one becomes another
        row[anywhere()] = any_bracket();
        break;
      case 2:  // what stood first comes last
        std::rotate(row.begin(), row.begin() + 1, row.end());
        break;
      case 3: {  // one stays what it is, but of another kind
        int& id = row[anywhere()];
        id = bracket(static_cast<int>(rng.below(parameters_.kinds)), closes(id));
        break;
      }
      default:  // nothing is as it was
        for (int& id : row) id = any_bracket();
    }
  }

  bool is_balanced(const std::vector<int>& row) const {
    std::array<int, kLongest> open;
    int depth = 0;
    for (int id : row) {
      if (!closes(id)) {
        open[depth++] = id;
      } else if (depth == 0 || open[--depth] + 1 != id) {
        return false;
      }
    }
    return depth == 0;
  }

  Parameters parameters_;
  int shortest_held_out_;
};

class BalanceRecipe final : public TaskRecipe {
 public:
  Properties properties() override {
    return {integer("kinds", parameters_.kinds, 1, 3),
            integer("min_length", parameters_.min_length, 2, kLongest, 2),
            integer("max_length", parameters_.max_length, 2, kLongest, 2)};
  }
  TaskResult make(std::string_view) const {
    const auto [kinds, shortest, longest] = parameters_;
    if (shortest > longest) {
      return Error{"min_length " + std::to_string(shortest) + " is above max_length " +
                       std::to_string(longest) + ": lower the one or raise the other.",
                   "최소 길이가 최대 길이보다 큽니다. 최소 길이: " + std::to_string(shortest) +
                       ", 최대 길이: " + std::to_string(longest) + ". 둘 중 하나를 바꿔 주십시오."};
    }
    if (!enough_to_split(longest, kinds)) {
      return Error{
          "there are too few balanced rows of up to " + std::to_string(longest) +
              " brackets to hold any back: raise max_length or kinds.",
          "검증용으로 남겨 둘 만큼 서로 다른 괄호 열이 많지 않습니다. 최대 길이나 괄호 종류를 "
          "늘려 주십시오."};
    }
    return std::unique_ptr<const Task>(std::make_unique<BalanceTask>(parameters_));
  }

 private:
  Parameters parameters_;
};

}  // namespace

TaskEntry balance_task() { return {kInfo, make_recipe<BalanceRecipe>}; }
TaskMaker balance_maker() { return make_with<BalanceRecipe>; }

}  // namespace tp
