#include <set>

#include "engine/core/utf8.h"
#include "engine/tasks/text_bundled.h"
#include "engine/tasks/text_pieces.h"
#include "engine/tasks/window_split.h"
#include "tests/unit/tasks/tasks_subjects.h"

namespace tp::test {
namespace {

TEST(TextTask, BundlesATextInTwoLanguages) {
  const std::string_view text = bundled_text();
  EXPECT_TRUE(is_valid_utf8(text));
  EXPECT_GT(text.size(), 40'000u);
  EXPECT_LT(text.size(), 60'000u);
  // Both languages are examined: the last tenth has them too.
  const std::string_view end = text.substr(text.size() - text.size() / 12);
  for (std::string_view part : {text, end}) {
    int latin = 0, hangul = 0;
    for (std::string_view character : split_characters(part)) {
      const char32_t c = next_code_point(character);
      latin += c >= 'a' && c <= 'z';
      hangul += is_hangul_syllable(c);
    }
    EXPECT_GT(latin, 20);
    EXPECT_GT(hangul, 20);
  }
}

TEST(TextTask, GivesWindowsOfTheText) {
  const auto task = make_task("text", {{"length", "32"}});
  EXPECT_EQ(task->sizes().target, 33);
  std::set<std::size_t> places;
  for (std::uint64_t i = 0; i < 500; ++i) {
    for (Split split : {Split::train, Split::held_out}) {
      const Example example = sampled(*task, split, 1, i);
      const std::string window = task->answer_text(answer_of(example));
      const std::size_t at = bundled_text().find(window);
      ASSERT_NE(at, std::string_view::npos) << window;
      if (split == Split::train) places.insert(at);
      // The two stretches lie one behind the other.
      const std::size_t nine_tenths = bundled_text().size() * 88 / 100;
      EXPECT_TRUE(split == Split::train || at > nine_tenths) << window;
    }
  }
  EXPECT_GT(places.size(), 400u);
}

TEST(TextTask, ReadsABeginning) {
  const auto task = make_task("text", {{"length", "8"}});
  EXPECT_EQ(task->answer_text(answer_of(parsed(*task, "The "))), "The ");
  EXPECT_EQ(parsed(*task, "☃e").target[0], kUnknown);
  // Only what the model can reach counts.
  EXPECT_EQ(task->answer_text(answer_of(parsed(*task, "the model knows"))), "el knows");
}

TEST(TextTask, TakesTheUsersText) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += std::to_string(i * i) + " ";
  const auto task = make_task("text", {{"length", "16"}}, text);
  EXPECT_EQ(task->target_vocabulary().size(), 4 + 11);
  EXPECT_EQ(task->target_vocabulary().find("3"), 4 + 1 + 3);  // in the order of the characters
  EXPECT_NE(complaint(try_task("text", {{"length", "16"}}, "too short")), "");
  EXPECT_NE(complaint(try_task("text", {}, "\xff")).find("UTF-8"), std::string::npos);
  EXPECT_NE(complaint(try_task("text", {{"length", "16"}}, std::string(2000, 'a'))).find("repeats"),
            std::string::npos);
}

TEST(TextTask, CutsTheTextIntoBpeTokens) {
  const auto task = make_task("text", {{"length", "32"}, {"tokens", "bpe"}, {"vocabulary", "600"}});
  EXPECT_EQ(task->target_vocabulary().size(), 4 + 600);
  EXPECT_EQ(task->metric().name, "tokens_right");
  for (std::uint64_t i = 0; i < 200; ++i) {
    for (Split split : {Split::train, Split::held_out}) {
      const Example example = sampled(*task, split, 1, i);
      ASSERT_EQ(example.target.size(), 33u);
      // Behind what may be half a character at both ends, a stretch of the text.
      std::string window = task->answer_text(answer_of(example));
      constexpr std::string_view kHalf = "\xEF\xBF\xBD";
      while (window.starts_with(kHalf)) window.erase(0, kHalf.size());
      while (window.ends_with(kHalf)) window.erase(window.size() - kHalf.size());
      const std::size_t first = split == Split::train ? 0 : bundled_text().size() * 88 / 100;
      ASSERT_NE(bundled_text().find(window, first), std::string_view::npos) << window;
    }
  }
}

// Whatever is typed can be read, marks spelled out and signs that the text does not have too.
TEST(TextTask, ReadsAndWritesAnythingWithBpe) {
  const auto task = make_task("text", {{"length", "64"}, {"tokens", "bpe"}});
  for (const char* text : {"The model", "모델은 ", "☃ <eos> <pad>", "a"}) {
    const Example example = parsed(*task, text);
    EXPECT_EQ(task->answer_text(answer_of(example)), text);
    for (const int id : example.target) EXPECT_GE(id, 4);
  }
  EXPECT_LT(parsed(*task, "The model").target.size(), 5u);
  std::vector<int> ended = parsed(*task, "The model").target;
  ended.push_back(kEnd);
  ended.push_back(ended[0]);
  EXPECT_EQ(task->answer_text({.tokens = ended}), "The model");
  EXPECT_NE(complaint(try_task("text", {{"tokens", "bpe"}}, "too short")), "");
}

TEST(WindowSplit, LeavesOutWhatTheFirstPartHas) {
  //                                     0  1  2  3  4  5 | 6  7  8  9
  const std::vector<std::uint64_t> row = {1, 2, 3, 4, 5, 6, 1, 2, 3, 9};
  const WindowSplit split = split_windows(row, 2, 3, 6);
  EXPECT_EQ(split.train_starts, 4);                      // 0 .. 3, each within the first six
  EXPECT_EQ(split.held_out_starts, std::vector<int>{});  // 1 2 and 2 3 were there
  const WindowSplit longer = split_windows(row, 3, 4, 6);
  EXPECT_EQ(longer.train_starts, 3);
  EXPECT_EQ(longer.held_out_starts, std::vector<int>{});
  const WindowSplit pairs = split_windows(row, 2, 2, 6);
  EXPECT_EQ(pairs.held_out_starts, std::vector<int>{8});
}

}  // namespace
}  // namespace tp::test
