#include <algorithm>
#include <map>

#include "tests/unit/tasks/tasks_subjects.h"

namespace tp::test {
namespace {

// Another way to decide: take pairs that stand side by side away until there are none.
bool balanced(std::string row) {
  for (std::size_t before = row.size() + 1; row.size() < before;) {
    before = row.size();
    for (std::string_view pair : {"()", "[]", "{}"}) {
      if (const std::size_t at = row.find(pair); at != std::string::npos) row.erase(at, 2);
    }
  }
  return row.empty();
}

TEST(BalanceTask, IsRightAndEven) {
  for (std::string_view kinds : {"1", "2", "3"}) {
    const auto task = make_task("balance", {{"kinds", kinds}});
    for (Split split : {Split::train, Split::held_out}) {
      int positives = 0;
      for (std::uint64_t i = 0; i < 4000; ++i) {
        const Example example = sampled(*task, split, 1, i);
        EXPECT_EQ(example.source.size() % 2, 0u);
        EXPECT_EQ(balanced(task->source_text(example)), example.label == 1);
        positives += example.label;
      }
      EXPECT_NEAR(positives, 2000, 150) << kinds;
    }
  }
}

// Counting brackets must not be enough: many unbalanced rows have as many closing as opening ones
// of each kind.
TEST(BalanceTask, HasNearMisses) {
  const auto task = make_task("balance", {{"kinds", "2"}});
  int negatives = 0, even = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const Example example = sampled(*task, Split::held_out, 1, i);
    if (example.label == 1) continue;
    const std::string row = task->source_text(example);
    ++negatives;
    even += std::count(row.begin(), row.end(), '(') == std::count(row.begin(), row.end(), ')') &&
            std::count(row.begin(), row.end(), '[') == std::count(row.begin(), row.end(), ']');
  }
  EXPECT_GT(even, negatives / 3);
}

// Five pairs of one kind have 42 shapes.
TEST(BalanceTask, DrawsEveryShapeEqually) {
  const auto task = make_task("balance", {{"kinds", "1"}, {"min-length", "10"}});
  std::map<std::string, int> shapes;
  int total = 0;
  for (std::uint64_t i = 0; i < 120000; ++i) {
    const Example example = sampled(*task, Split::train, 1, i);
    if (example.label == 0 || example.source.size() != 10) continue;
    ++shapes[task->source_text(example)];
    ++total;
  }
  EXPECT_EQ(shapes.size(), 42u);
  for (const auto& [shape, count] : shapes) EXPECT_NEAR(count, total / 42.0, total / 42.0 * 0.3);
}

TEST(BalanceTask, ReadsAndRefuses) {
  const auto task = make_task("balance", {{"kinds", "2"}});
  EXPECT_EQ(parsed(*task, "([]) []").label, 1);
  EXPECT_EQ(parsed(*task, "([)]").label, 0);
  EXPECT_EQ(parsed(*task, "(").label, 0);
  EXPECT_EQ(parsed(*task, ")").label, 0);
  EXPECT_EQ(task->answer_text(answer_of(parsed(*task, "()"))), "balanced");
  EXPECT_EQ(task->parse("{}").unknown_word, "{");
  EXPECT_FALSE(task->parse("(((((((((((((((((((((").example.ok());
  EXPECT_NE(complaint(try_task("balance", {{"max-length", "8"}})), "");
  EXPECT_NE(complaint(try_task("balance", {{"min-length", "22"}})), "");
  EXPECT_NE(complaint(try_task("balance", {{"max-length", "10"}})), "");
  EXPECT_EQ(complaint(try_task("balance", {{"max-length", "10"}, {"kinds", "2"}})), "");
}

TEST(BalanceTask, PairsHaveTheirDepth) {
  const auto task = make_task("balance", {{"kinds", "2"}});
  const auto depths = [&](const char* text) { return task->depict(parsed(*task, text)).depths; };
  EXPECT_EQ(depths("([])()"), (std::vector<std::int32_t>{0, 1, 1, 0, 0, 0}));
  EXPECT_EQ(depths(")(()"), (std::vector<std::int32_t>{-1, -1, 1, 1}));
  // [ is open when ) comes: neither of the two has a partner there.
  EXPECT_EQ(depths("([)]"), (std::vector<std::int32_t>{-1, 1, -1, 1}));
}

}  // namespace
}  // namespace tp::test
