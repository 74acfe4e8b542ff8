#include <set>

#include "engine/tasks/date/forms.h"
#include "tests/unit/tasks/tasks_subjects.h"

namespace tp::test {
namespace {

using date::Day;

std::string written(std::string_view pattern, const Day& day) {
  return std::string(date::write({date::Tongue::numbers, pattern}, day).text());
}

TEST(DateTask, WritesDaysAsPeopleDo) {
  const Day day = {2024, 3, 5};
  EXPECT_EQ(written("%Y-%m-%d", day), "2024-03-05");
  EXPECT_EQ(written("%W, %B %D, %Y", day), "Tuesday, March 5, 2024");
  EXPECT_EQ(written("the %O of %B %Y", day), "the 5th of March 2024");
  EXPECT_EQ(written("%D %b '%y", day), "5 Mar '24");
  EXPECT_EQ(written("%Y년 %M월 %D일 %K", day), "2024년 3월 5일 화요일");
  EXPECT_EQ(written("%N년 %n월 %e일", day), "이천이십사년 삼월 오일");
  EXPECT_EQ(written("%N년 %n월 %e일", {1999, 6, 30}), "천구백구십구년 유월 삼십일");
  EXPECT_EQ(written("%N년 %n월 %e일", {2000, 10, 11}), "이천년 시월 십일일");
  EXPECT_EQ(written("%N년 %n월 %e일", {2010, 12, 20}), "이천십년 십이월 이십일");
  for (const auto& [number, text] : {std::pair{1, "1st"},
                                     {2, "2nd"},
                                     {3, "3rd"},
                                     {4, "4th"},
                                     {11, "11th"},
                                     {12, "12th"},
                                     {13, "13th"},
                                     {21, "21st"},
                                     {22, "22nd"},
                                     {23, "23rd"},
                                     {30, "30th"},
                                     {31, "31st"}}) {
    EXPECT_EQ(written("%O", {2024, 1, number}), text);
  }
}

TEST(DateTask, KnowsTheCalendar) {
  EXPECT_EQ(date::weekday({2000, 1, 1}), 6);
  EXPECT_EQ(date::weekday({2024, 2, 29}), 4);
  EXPECT_EQ(date::weekday({1950, 12, 31}), 0);
  EXPECT_EQ(date::days_in_month(2024, 2), 29);
  EXPECT_EQ(date::days_in_month(1900, 2), 28);
  EXPECT_EQ(date::days_in_month(2000, 2), 29);
  EXPECT_EQ(date::days_in_month(2023, 4), 30);
}

// One text never means two days, or nobody could learn it; and none is too long for the model.
TEST(DateTask, NeverWritesTwoDaysAlike) {
  const auto task = make_task("date");
  std::set<std::string, std::less<>> texts;
  std::size_t written_texts = 0;
  int longest = 0;
  for (int year = 1950; year <= 2049; year += 7) {
    for (int month = 1; month <= 12; ++month) {
      for (int day = 1; day <= date::days_in_month(year, month); ++day) {
        // Two forms may write one day alike: 2024년 10월 12일 and no other.
        std::set<std::string> of_this_day;
        for (const date::Form& form : date::forms()) {
          const date::Written text = date::write(form, {year, month, day});
          longest = std::max(longest, text.characters);
          of_this_day.emplace(text.text());
        }
        written_texts += of_this_day.size();
        texts.insert(of_this_day.begin(), of_this_day.end());
      }
    }
  }
  EXPECT_EQ(texts.size(), written_texts);
  EXPECT_EQ(longest, task->sizes().source);
}

Example written_example(const Task& task, std::string_view text) {
  for (std::uint64_t i = 0;; ++i) {
    Example example = sampled(task, Split::train, 1, i);
    if (task.source_text(example) == text) return example;
    if (i > 3000000) return {};
  }
}

TEST(DateTask, AnswersInIso) {
  const auto task = make_task("date", {{"first-year", "2024"}, {"last-year", "2027"}});
  std::set<std::string> answers;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const Example example = sampled(*task, Split::train, 1, i);
    const std::string answer = task->answer_text(answer_of(example));
    ASSERT_EQ(answer.size(), 10u);
    EXPECT_TRUE(answer >= "2024-01-01" && answer <= "2027-12-31") << answer;
    // Where the year is written in four digits, it is the answer's.
    const std::string text = task->source_text(example);
    if (text.find("202") != std::string::npos && text.find('\'') == std::string::npos) {
      EXPECT_NE(text.find(answer.substr(0, 4)), std::string::npos) << text << " " << answer;
    }
    answers.insert(answer);
  }
  EXPECT_GT(answers.size(), 1000u);
}

TEST(DateTask, LinksDigitsToWhatSaysThem) {
  const auto task =
      make_task("date", {{"first-year", "2024"}, {"last-year", "2027"}, {"forms", "korean"}});
  // 이0 천1 이2 십3 육4 년5 _6 십7 이8 월9 _10 이11 십12 일13
  const Example example = written_example(*task, "이천이십육년 십이월 이십일");
  ASSERT_FALSE(example.target.empty());
  EXPECT_EQ(task->answer_text(answer_of(example)), "2026-12-20");
  const std::vector<Link> expected = {{0, 0, true},  {0, 1, true},  // 2: 이천
                                      {1, 0, true},  {1, 1, true},  {1, 2, true},
                                      {1, 3, true},  {1, 4, true},    // 0: not said
                                      {2, 2, true},  {2, 3, true},    // 2: 이십
                                      {3, 4, true},                   // 6: 육
                                      {5, 7, true},  {6, 8, true},    // 12: 십, 이
                                      {8, 11, true}, {8, 12, true},   // 2: 이십
                                      {9, 11, true}, {9, 12, true}};  // 0: not said
  EXPECT_EQ(example.links, expected);

  const auto english =
      make_task("date", {{"first-year", "2024"}, {"last-year", "2027"}, {"forms", "english"}});
  const Example march = written_example(*english, "5 Mar 2026");
  ASSERT_FALSE(march.target.empty());
  const std::vector<Link> name = {{0, 6, true}, {1, 7, true}, {2, 8, true}, {3, 9, true},
                                  {5, 2, true}, {5, 3, true}, {5, 4, true}, {6, 2, true},
                                  {6, 3, true}, {6, 4, true}, {8, 0, true}, {9, 0, true}};
  EXPECT_EQ(march.links, name);
}

TEST(DateTask, KnowsTheAnswerToWhatIsTyped) {
  const auto task = make_task("date");
  const auto answer = [&](std::string_view text) {
    return task->answer_text(answer_of(parsed(*task, text)));
  };
  EXPECT_EQ(answer("Tuesday, March 5, 2024"), "2024-03-05");
  EXPECT_EQ(answer("이천이십사년 삼월 오일"), "2024-03-05");
  EXPECT_EQ(answer("  5 Mar '24 "), "2024-03-05");
  EXPECT_EQ(answer("29 February 2024"), "2024-02-29");
  // No day, another weekday, no form of ours.
  for (const char* text :
       {"29 February 2023", "Monday, March 5, 2024", "March 5", "5 5 5", "2024-3-5"}) {
    EXPECT_EQ(answer(text), "") << text;
    EXPECT_TRUE(parsed(*task, text).links.empty());
  }
  // Whatever the task itself writes is understood as it was meant, with its links.
  for (std::uint64_t i = 0; i < 300; ++i) {
    const Example example = sampled(*task, Split::train, 3, i);
    const Example read = parsed(*task, task->source_text(example));
    EXPECT_EQ(read.source, example.source);
    EXPECT_EQ(read.target, example.target) << task->source_text(example);
    EXPECT_EQ(read.links, example.links);
  }
}

TEST(DateTask, WritesOnlyTheFormsAskedFor) {
  const auto task = make_task("date", {{"forms", "numbers"}});
  for (std::uint64_t i = 0; i < 500; ++i) {
    const std::string text = task->source_text(sampled(*task, Split::train, 1, i));
    EXPECT_EQ(text.find_first_not_of("0123456789-/."), std::string::npos) << text;
  }
  EXPECT_NE(complaint(try_task("date", {{"first-year", "2024"}, {"last-year", "2024"}})), "");
}

TEST(DateTask, ScoresYearMonthAndDay) {
  const auto task = make_task("date");
  const Example right = sampled(*task, Split::train, 1, 0);
  std::vector<int> tokens = right.target;
  tokens[0] = tokens[0] == 4 ? 5 : 4;
  EXPECT_NEAR(task->score(answer_of(right), {.tokens = tokens}), 2 / 3.0, 1e-12);
  tokens.pop_back();
  EXPECT_EQ(task->score(answer_of(right), {.tokens = tokens}), 0);
}

}  // namespace
}  // namespace tp::test
