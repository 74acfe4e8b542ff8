#include <algorithm>
#include <map>

#include "tests/unit/tasks/tasks_subjects.h"

namespace tp::test {
namespace {

std::string answer(const Task& task, std::string_view text) {
  return task.answer_text(answer_of(parsed(task, text)));
}

TEST(SymbolTasks, AnswerAsTheyShould) {
  EXPECT_EQ(answer(*make_task("copy"), "k d a m"), "k d a m");
  EXPECT_EQ(answer(*make_task("reverse"), "k d a m"), "m a d k");
  EXPECT_EQ(answer(*make_task("sort"), "k d a d"), "a d d k");
  EXPECT_EQ(answer(*make_task("reverse"), "kdam"), "m a d k");  // spaces may be left out
}

TEST(SymbolTasks, LinkOutputsToTheirOrigins) {
  const std::vector<Link> copy = {{0, 0, true}, {1, 1, true}, {2, 2, true}};
  EXPECT_EQ(parsed(*make_task("copy"), "c a b").links, copy);
  const std::vector<Link> reverse = {{0, 2, true}, {1, 1, true}, {2, 0, true}};
  EXPECT_EQ(parsed(*make_task("reverse"), "c a b").links, reverse);
  const std::vector<Link> sort = {
      {0, 1, true}, {1, 0, true}, {1, 2, true}, {2, 0, true}, {2, 2, true}};
  EXPECT_EQ(parsed(*make_task("sort"), "c a c").links, sort);
}

TEST(SymbolTasks, HaveTheVocabularyOfTheRecipe) {
  const auto task = make_task("reverse");
  EXPECT_EQ(task->source_vocabulary().size(), 32);
  EXPECT_EQ(task->source_vocabulary().marks(), 3);
  EXPECT_EQ(task->source_vocabulary().word(kPad), "<pad>");
  EXPECT_EQ(task->source_vocabulary().word(kBegin), "<bos>");
  EXPECT_EQ(task->source_vocabulary().word(kEnd), "<eos>");
  EXPECT_EQ(task->source_vocabulary().word(3), "a");
  EXPECT_EQ(task->source_vocabulary().word(31), "C");
  EXPECT_EQ(task->sizes().source, 16);
  EXPECT_EQ(task->sizes().target, 16);
}

// Lengths 1 and 2 have 29 and 841 sources: they are trained on, and never examined.
TEST(SymbolTasks, DrawEveryLengthAndHoldOutLongOnes) {
  const auto task = make_task("copy");
  std::map<std::size_t, int> trained, held_out;
  Example example;
  for (std::uint64_t i = 0; i < 16000; ++i) {
    task->sample(Split::train, 1, i, example);
    ++trained[example.source.size()];
    task->sample(Split::held_out, 1, i, example);
    ++held_out[example.source.size()];
  }
  ASSERT_EQ(trained.size(), 16u);
  for (const auto& [length, count] : trained) EXPECT_NEAR(count, 1000, 150) << length;
  ASSERT_EQ(held_out.size(), 14u);
  EXPECT_EQ(held_out.begin()->first, 3u);
  for (const auto& [length, count] : held_out) EXPECT_NEAR(count, 16000 / 14.0, 150) << length;
}

TEST(SymbolTasks, HoldOutOneInTen) {
  int held_out = 0;
  Rng rng(1);
  for (int i = 0; i < 100000; ++i) {
    const std::vector<int> source = {static_cast<int>(rng.below(29)),
                                     static_cast<int>(rng.below(29)),
                                     static_cast<int>(rng.below(29))};
    held_out += split_of(source) == Split::held_out;
  }
  EXPECT_NEAR(held_out, 10000, 500);
}

TEST(SymbolTasks, TakeTheFirstLookPreset) {
  const auto task = make_task("reverse", {{"min-length", "10"}, {"max-length", "10"}});
  for (std::uint64_t i = 0; i < 100; ++i) {
    EXPECT_EQ(sampled(*task, Split::train, 1, i).source.size(), 10u);
    EXPECT_EQ(sampled(*task, Split::held_out, 1, i).target.size(), 10u);
  }
}

TEST(SymbolTasks, RefuseParametersThatContradict) {
  EXPECT_NE(complaint(try_task("copy", {{"min-length", "9"}, {"max-length", "4"}})).find("above"),
            std::string::npos);
  EXPECT_NE(complaint(try_task("sort", {{"max-length", "2"}})).find("raise max_length to 3"),
            std::string::npos);
  EXPECT_NE(complaint(try_task("sort", {{"symbols", "2"}, {"max-length", "9"}}))
                .find("raise max_length to 10"),
            std::string::npos);
  EXPECT_EQ(complaint(try_task("sort", {{"symbols", "2"}, {"max-length", "10"}})), "");
}

TEST(SymbolTasks, SayWhatTheyCannotRead) {
  const auto task = make_task("copy");
  const Parsed unknown = task->parse("a b 7");
  ASSERT_FALSE(unknown.example.ok());
  EXPECT_EQ(unknown.unknown_word, "7");
  EXPECT_EQ(unknown.known_words.size(), 29u);
  EXPECT_NE(task->parse("aaaaaaaaaaaaaaaaa").example.error().message.find("17"), std::string::npos);
}

TEST(SymbolTasks, ScoreLetters) {
  const auto task = make_task("copy");
  const std::vector<int> expected = {3, 4, 5, 6}, half = {3, 4, 6, 5}, longer = {3, 4, 5, 6, 7};
  EXPECT_EQ(task->score({.tokens = expected}, {.tokens = half}), 0.5);
  EXPECT_EQ(task->score({.tokens = expected}, {.tokens = longer}), 0.8);
  EXPECT_EQ(task->score({.tokens = expected}, {}), 0);
}

}  // namespace
}  // namespace tp::test
