#include <string>

#include "tests/unit/tasks/tasks_subjects.h"

namespace tp::test {
namespace {

TEST(AddTask, Adds) {
  for (std::string_view ones_first : {"false", "true"}) {
    const auto task = make_task("add", {{"ones-first", ones_first}});
    int carries = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      const Example example = sampled(*task, Split::train, 1, i);
      const std::string text = task->source_text(example);
      const std::size_t plus = text.find('+');
      const int first = std::atoi(text.c_str()), second = std::atoi(text.c_str() + plus + 1);
      EXPECT_EQ(task->answer_text(answer_of(example)), std::to_string(first + second)) << text;
      EXPECT_EQ(example.source.size(), 7u);
      EXPECT_EQ(example.target.size(), 4u);
      carries += first + second > 999;
    }
    EXPECT_NEAR(carries, 500, 60);
  }
}

TEST(AddTask, LinksDigitsToDigitsAndToTheirCarry) {
  // 0 5 7 + 0 0 8 -> 0 0 6 5
  const std::vector<Link> expected = {
      {0, 0, true}, {0, 4, true},                              // thousands: a carry
      {1, 0, true}, {1, 1, true}, {1, 4, true}, {1, 5, true},  // hundreds
      {2, 1, true}, {2, 2, true}, {2, 5, true}, {2, 6, true},  // tens
      {3, 2, true}, {3, 6, true}};                             // ones
  EXPECT_EQ(parsed(*make_task("add"), "57+8").links, expected);
  const auto paper = make_task("add", {{"ones-first", "true"}});
  const std::vector<Link> ones = {{0, 2, true}, {0, 6, true}};
  const std::vector<Link> links = parsed(*paper, "57+8").links;
  EXPECT_EQ(std::vector<Link>(links.begin(), links.begin() + 2), ones);
}

TEST(AddTask, ReadsSums) {
  const auto task = make_task("add");
  EXPECT_EQ(task->answer_text(answer_of(parsed(*task, " 57 + 8 "))), "65");
  EXPECT_EQ(task->answer_text(answer_of(parsed(*task, "999+999"))), "1998");
  EXPECT_EQ(task->answer_text(answer_of(parsed(*task, "000+0"))), "0");
  for (std::string_view bad : {"57", "57+", "+8", "5+7+8", "5-7", "a+b", "1000+1", "1.5+2"}) {
    EXPECT_FALSE(task->parse(bad).example.ok()) << bad;
  }
}

}  // namespace
}  // namespace tp::test
