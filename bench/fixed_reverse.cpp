#include "bench/fixed_reverse.h"

#include <algorithm>

namespace tp::bench {
namespace {

constexpr int kVocabulary = 32;

class FixedReverse final : public Task {
 public:
  explicit FixedReverse(int length)
      : Task({.name = "fixed-reverse",
              .kind = TaskKind::encoder_decoder,
              .material = Material::none,
              .summary = "Write the letters backwards."}) {
    sizes_.source = length;
    sizes_.target = length - 1;
    Vocabulary words(Vocabulary::Marks::three);
    for (int i = words.size(); i < kVocabulary; ++i) words.add(std::to_string(i));
    source_ = target_ = words;
  }

  void sample(Split split, std::uint64_t seed, std::uint64_t index,
              Example& example) const override {
    Rng rng = example_rng(split, seed, index);
    example.clear();
    for (int i = 0; i < sizes_.source; ++i) {
      example.source.push_back(source_.marks() +
                               static_cast<int>(rng.below(kVocabulary - source_.marks())));
    }
    example.target.assign(example.source.rbegin(), example.source.rend() - 1);
  }
  Parsed parse(std::string_view) const override {
    return {Error{"this task takes no typed input"}};
  }
  std::string source_text(const Example&) const override { return {}; }
  std::string answer_text(const Answer&) const override { return {}; }
  Metric metric() const override { return {.name = "exact", .more_is_better = true}; }
  double score(const Answer& expected, const Answer& produced) const override {
    return std::ranges::equal(expected.tokens, produced.tokens) ? 1 : 0;
  }
};

}  // namespace

std::shared_ptr<const Task> fixed_reverse(int length) {
  return std::make_shared<FixedReverse>(length);
}

}  // namespace tp::bench
