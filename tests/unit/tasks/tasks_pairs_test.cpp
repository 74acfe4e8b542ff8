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
  EXPECT_EQ(task->parse("n 100").unknown_word, "100");
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
  std::string long_line;
  for (int i = 0; i < 129; ++i) long_line += "w ";
  EXPECT_NE(refused(lines(20) + long_line + "\tb\n").find("line 21 has more than 128"),
            std::string::npos);
}

}  // namespace
}  // namespace tp::test
