#include <algorithm>

#include "engine/core/utf8.h"
#include "engine/tasks/hangul.h"
#include "engine/tasks/registry.h"
#include "engine/tasks/scores.h"
#include "engine/tasks/text_bundled.h"
#include "engine/tasks/text_pieces.h"
#include "engine/tasks/window_split.h"

// Which character comes next? Windows of one text; its last tenth is held out.

namespace tp {
namespace {

constexpr TaskInfo kInfo = {.name = "text",
                            .kind = TaskKind::decoder_only,
                            .material = Material::optional,
                            .summary = "Go on writing, one character after the other."};

constexpr std::size_t kLargest = std::size_t{4} << 20;  // bytes

class TextTask final : public Task {
 public:
  TextTask(int length, Vocabulary vocabulary, std::vector<int> ids, WindowSplit split)
      : Task(kInfo), ids_(std::move(ids)), split_(std::move(split)) {
    target_ = std::move(vocabulary);
    sizes_.target = length + 1;
  }

  void sample(Split split, std::uint64_t seed, std::uint64_t index,
              Example& example) const override {
    Rng rng = example_rng(split, seed, index);
    const std::vector<int>& held_out = split_.held_out_starts;
    const int start = split == Split::train
                          ? static_cast<int>(rng.below(split_.train_starts))
                          : held_out[rng.below(static_cast<std::uint32_t>(held_out.size()))];
    example.clear();
    example.target.assign(ids_.begin() + start, ids_.begin() + start + sizes_.target);
  }

  // The beginning of something to go on with. Characters the text does not have are unknown to the
  // model, but no reason to stop.
  Parsed parse(std::string_view text) const override {
    const std::string composed = compose_hangul(text);
    Example example;
    for (std::string_view character : split_characters(composed)) {
      const int id = target_.find(character);
      example.target.push_back(id < 0 ? kUnknown : id);
    }
    if (example.target.empty())
      return {Error{"there is no beginning: type a few characters.",
                    "시작하는 글이 없습니다. 몇 글자 입력해 주십시오."}};
    // What lies further back than the model reaches is forgotten.
    const int excess = static_cast<int>(example.target.size()) - (sizes_.target - 1);
    if (excess > 0) example.target.erase(example.target.begin(), example.target.begin() + excess);
    return {std::move(example)};
  }

  std::string source_text(const Example& example) const override {
    const std::span<const int> all = example.target;
    return target_.join(all.first(all.size() - std::min<std::size_t>(1, all.size())), "");
  }
  std::string answer_text(const Answer& answer) const override {
    return target_.join(answer.tokens, "");
  }
  Metric metric() const override { return {.name = "characters_right", .more_is_better = true}; }
  double score(const Answer& expected, const Answer& produced) const override {
    return position_accuracy(expected.tokens, produced.tokens);
  }

 private:
  std::vector<int> ids_;
  WindowSplit split_;
};

class TextRecipe final : public TaskRecipe {
 public:
  Properties properties() override { return {integer("length", length_, 8, 512)}; }

  TaskResult make(std::string_view material) const override {
    if (material.size() > kLargest) {
      return Error{"the text has " + std::to_string(material.size() >> 20) +
                       " MB and a page can take 4: give a part of it.",
                   "글이 너무 큽니다. 최대 4 MB까지 쓸 수 있으니 일부만 넣어 주십시오."};
    }
    if (!is_valid_utf8(material)) {
      return Error{"the text is not UTF-8: save it as UTF-8.",
                   "UTF-8 글이 아닙니다. UTF-8로 저장해 주십시오."};
    }
    const std::string text = compose_hangul(material.empty() ? bundled_text() : material);

    // In the order of code points, whatever the text begins with.
    std::vector<std::string_view> characters = split_characters(text);
    std::vector<std::string_view> distinct = characters;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    Vocabulary vocabulary(Vocabulary::Marks::four);
    for (std::string_view character : distinct) vocabulary.add(character);
    std::vector<int> ids;
    std::vector<std::uint64_t> items;
    for (std::string_view character : characters) {
      ids.push_back(vocabulary.find(character));
      items.push_back(static_cast<std::uint64_t>(ids.back()));
    }

    const int count = static_cast<int>(ids.size());
    const int cut = count - std::max(count / 10, length_ + 1);
    if (cut < 4 * (length_ + 1)) {
      return Error{"the text has " + std::to_string(count) + " characters: for windows of " +
                       std::to_string(length_) + " give at least " +
                       std::to_string(5 * (length_ + 1)) + ", or lower length.",
                   "글이 너무 짧습니다. 글자 수: " + std::to_string(count) +
                       ", 필요한 글자 수: " + std::to_string(5 * (length_ + 1)) +
                       ". 더 긴 글을 넣거나 길이 설정을 줄여 주십시오."};
    }
    WindowSplit split = split_windows(items, length_, length_ + 1, cut);
    if (split.held_out_starts.empty()) {
      return Error{
          "the end of the text only repeats what came before: nothing is left to hold "
          "back, so give another text or raise length.",
          "글의 끝부분이 앞부분의 되풀이라서 검증용으로 남길 것이 없습니다. 다른 글을 넣거나 길이 "
          "설정을 "
          "늘려 주십시오."};
    }
    return std::unique_ptr<const Task>(std::make_unique<TextTask>(
        length_, std::move(vocabulary), std::move(ids), std::move(split)));
  }

 private:
  int length_ = 64;
};

}  // namespace

TaskEntry text_task() { return {kInfo, make_recipe<TextRecipe>}; }

}  // namespace tp
