#pragma once

#include "engine/tasks/registry.h"

// What copy, reverse and sort have in common: the source is a row of letters, each drawn evenly and
// by itself; the answer has the same length.

namespace tp {

inline constexpr int kLongestSymbols = 64;

struct SymbolParameters {
  int min_length = 1;
  int max_length = 16;
  int symbols = 29;  // with the three marks, a vocabulary of 32
};

class SymbolTask : public Task {
 public:
  void sample(Split split, std::uint64_t seed, std::uint64_t index,
              Example& example) const override;
  Parsed parse(std::string_view text) const override;
  std::string source_text(const Example& example) const override;
  std::string answer_text(const Answer& answer) const override;
  Metric metric() const override { return {.name = "letters_right", .more_is_better = true}; }
  double score(const Answer& expected, const Answer& produced) const override;

 protected:
  SymbolTask(const TaskInfo& info, const SymbolParameters& parameters);

  // Fills in target and links.
  virtual void solve(Example& example) const = 0;

 private:
  SymbolParameters parameters_;
  int shortest_held_out_;
};

// The parameters without a task: how long a sequence must be for there to be enough of them.
Status check(const SymbolParameters& parameters);

template <class SpecificTask>
class SymbolRecipe final : public TaskRecipe {
 public:
  Properties properties() override {
    return {integer("min_length", parameters_.min_length, 1, kLongestSymbols),
            integer("max_length", parameters_.max_length, 1, kLongestSymbols),
            integer("symbols", parameters_.symbols, 2, 52)};
  }
  TaskResult make(std::string_view) const {
    if (Status status = check(parameters_); !status) return status.error();
    return std::unique_ptr<const Task>(std::make_unique<SpecificTask>(parameters_));
  }

 private:
  SymbolParameters parameters_;
};

}  // namespace tp
