#include <set>

#include "tests/unit/tasks/tasks_subjects.h"

namespace tp::test {
namespace {

std::string lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += "n " + std::to_string(i) + "\tm " + std::to_string(i) + "\n";
  return text;
}

TEST(PairsTask, TakesTheUsersLines) {
  const auto task = make_task("pairs", {}, lines(100));
  std::set<std::string> trained, held_out;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const Example example = sampled(*task, Split::train, 1, i);
    const std::string source = task->source_text(example);
    EXPECT_EQ(task->answer_text(answer_of(example)), "m" + source.substr(1));
    trained.insert(source);
    held_out.insert(task->source_text(sampled(*task, Split::held_out, 1, i)));
  }
  EXPECT_EQ(trained.size(), 90u);
  EXPECT_EQ(held_out.size(), 10u);
  EXPECT_EQ(task->answer_text(answer_of(parsed(*task, "n  7"))), "m 7");
  // A word that no line has is no reason to stop.
  EXPECT_EQ(parsed(*task, "n 100").source.back(), kUnknown);
  EXPECT_TRUE(task->parse("n 100").untrained.has_value());
  EXPECT_FALSE(task->parse("n 7").untrained.has_value());
  EXPECT_EQ(task->source_text(parsed(*task, "n <eos>")), "n <unk>");
}

TEST(PairsTask, CutsIntoCharacters) {
  std::string text = "나는\tI am\r\n\n";
  for (int i = 10; i < 30; ++i) text += std::to_string(i) + "\t" + std::to_string(2 * i) + "\n";
  const auto task = make_task("pairs", {{"tokens", "characters"}}, text);
  const Example example = parsed(*task, "\u1102\u1161\u1102\u1173\u11ab");  // in single letters
  EXPECT_EQ(example.source.size(), 2u);
  EXPECT_EQ(task->answer_text(answer_of(example)), "I am");
}

// All lines of one source are on one side, also when they differ in spaces.
TEST(PairsTask, KeepsLinesOfOneSourceTogether) {
  const auto task = make_task("pairs", {}, lines(50) + "n   3\tx\nn 3 \ty\n n 3\tz\n");
  std::set<std::string> answers[2];
  for (std::uint64_t i = 0; i < 4000; ++i) {
    for (Split split : {Split::train, Split::held_out}) {
      const Example example = sampled(*task, split, 1, i);
      if (task->source_text(example) != "n 3") continue;
      answers[split == Split::held_out].insert(task->answer_text(answer_of(example)));
    }
  }
  EXPECT_TRUE(answers[0].empty() || answers[1].empty());
  EXPECT_EQ(answers[0].size() + answers[1].size(), 4u);
}

TEST(PairsTask, NamesBadLines) {
  const auto refused = [](std::string_view text) { return complaint(try_task("pairs", {}, text)); };
  EXPECT_NE(refused("").find("needs lines"), std::string::npos);
  EXPECT_NE(refused(lines(9)).find("only 9"), std::string::npos);
  EXPECT_EQ(refused(lines(10)), "");
  EXPECT_NE(refused(lines(20) + "\nno tab here\n").find("line 22 has no tab"), std::string::npos);
  EXPECT_NE(refused(lines(20) + "a\tb\tc\n").find("line 21 has more than one tab"),
            std::string::npos);
  EXPECT_NE(refused("\tb\n" + lines(20)).find("line 1 has an empty side"), std::string::npos);
  EXPECT_NE(refused("\xff\tb\n" + lines(20)).find("line 1 is not UTF-8"), std::string::npos);
  EXPECT_EQ(
      refused("a\na\na\na\na\n" + lines(20)),
      "line 1 has no tab, line 2 has no tab, and 3 more are not right: write a source, one tab "
      "and its target on each line.");
}

TEST(PairsTask, LeavesOutLinesThatAreTooLong) {
  const auto task = make_task("pairs", {{"max_length", "3"}}, lines(20) + "a b c d\te\nx\ty\n");
  ASSERT_TRUE(task->warning().has_value());
  EXPECT_EQ(
      task->warning()->message,
      "lines left out for more than 3 tokens on a side: 1 (21); raise max_length to use them.");
  EXPECT_NE(task->warning()->korean.find("1개 (21)"), std::string::npos);
  EXPECT_EQ(task->source_vocabulary().find("a"), -1);
  EXPECT_EQ(task->answer_text(answer_of(parsed(*task, "x"))), "y");
  EXPECT_FALSE(make_task("pairs", {{"max_length", "4"}}, lines(20) + "a b c d\te\n")->warning());
  const std::string none = complaint(try_task("pairs", {{"max_length", "1"}}, lines(20)));
  EXPECT_NE(none.find("only 0 different sources"), std::string::npos) << none;
  EXPECT_NE(none.find("more than 1 tokens on a side: 20 (1, 2, 3, 4, 5, ...)"), std::string::npos);
}

TEST(PairsTask, TakesTheMostFrequentWords) {
  const std::string text = lines(30) + "n n\tm m\nq\tm\n";
  const auto size = [&](std::string_view limit, std::string_view count) {
    return make_task("pairs", {{"vocabulary_size", limit}, {"min_count", count}}, text)
        ->source_vocabulary()
        .size();
  };
  EXPECT_EQ(size("0", "1"), 4 + 1 + 30 + 1);
  EXPECT_EQ(size("6", "1"), 6);
  EXPECT_EQ(size("0", "2"), 4 + 1);
  const auto task = make_task("pairs", {{"min_count", "2"}}, text);
  EXPECT_EQ(task->source_text(parsed(*task, "n 3")), "n <unk>");
  EXPECT_NE(task->notes().back().message.find("<unk>"), std::string::npos);
}

// Pieces spell every word: bytes any word at all, SentencePiece those of characters it has seen.
TEST(PairsTask, CutsIntoPieces) {
  std::string text;
  for (int i = 0; i < 200; ++i) {
    text += "the reader reads line " + std::to_string(i) + "\tder Leser liest Zeile " +
            std::to_string(i) + "\n";
  }
  for (const char* tokens : {"bpe", "sentencepiece"}) {
    const auto task = make_task("pairs", {{"tokens", tokens}, {"vocabulary_size", "400"}}, text);
    EXPECT_LE(task->source_vocabulary().size(), 400);
    EXPECT_EQ(task->tokenizers().reads, task->tokenizers().writes);
    const Example example = parsed(*task, "the reader reads line 7");
    EXPECT_EQ(task->source_text(example), "the reader reads line 7");
    EXPECT_EQ(task->answer_text(answer_of(example)), "der Leser liest Zeile 7");
    EXPECT_EQ(task->source_text(parsed(*task, "a tireless dealer")), "a tireless dealer");
    EXPECT_LT(example.source.size(), 7u);
  }
  const auto bytes = make_task("pairs", {{"tokens", "bpe"}}, text);
  EXPECT_EQ(bytes->source_text(parsed(*bytes, "☃ <eos>")), "☃ <eos>");
  const std::string small =
      complaint(try_task("pairs", {{"tokens", "bpe"}, {"vocabulary_size", "100"}}, text));
  EXPECT_NE(small.find("at least 260"), std::string::npos) << small;
}

// What a model learned goes on meaning the same, whatever becomes of the lines.
TEST(PairsTask, KeepsAVocabularyThatIsGiven) {
  const auto before = make_task("pairs", {}, lines(30));
  const std::string edited = "new words\tfirst\n" + lines(30);
  const auto recipe = find_task("pairs")->recipe();
  const TaskResult after = tp::make_task(
      "pairs", *recipe, TaskData{.material = edited, .tokenizers = before->tokenizers()});
  ASSERT_TRUE(after.ok());
  EXPECT_EQ(after.value()->source_vocabulary().words(), before->source_vocabulary().words());
  EXPECT_EQ(parsed(*after.value(), "n 7").source, parsed(*before, "n 7").source);
  EXPECT_EQ(parsed(*after.value(), "n new").source[1], kUnknown);
}

}  // namespace
}  // namespace tp::test
