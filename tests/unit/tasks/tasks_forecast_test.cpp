#include <cmath>
#include <set>

#include "engine/tasks/csv_column.h"
#include "tests/unit/tasks/tasks_subjects.h"

namespace tp::test {
namespace {

std::string table(int rows) {
  std::string text = "day,price\n";
  for (int i = 0; i < rows; ++i) {
    text += "d" + std::to_string(i) + "," + std::to_string(100 + i * i % 1009) + ".5\n";
  }
  return text;
}

TEST(ForecastTask, CutsThirtyDaysIntoNinePatches) {
  const auto task = make_task("forecast");
  EXPECT_EQ(task->sizes().source, 9);
  EXPECT_EQ(task->sizes().patch_size, 6);
  EXPECT_EQ(task->sizes().outputs, 3);
  const Example example = sampled(*task, Split::train, 1, 0);
  ASSERT_EQ(example.patches.size(), 54u);
  // The second half of a patch is the first half of the next.
  for (int patch = 0; patch < 8; ++patch) {
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(example.patches[patch * 6 + 3 + i], example.patches[(patch + 1) * 6 + i]);
    }
  }
}

TEST(ForecastTask, CentresAndScalesTheDaysItShows) {
  const auto task = make_task("forecast", {{"patch", "3"}, {"stride", "3"}});
  for (std::uint64_t i = 0; i < 100; ++i) {
    const Example example = sampled(*task, Split::train, 1, i);
    double sum = 0, squares = 0;
    for (float value : example.patches) {
      sum += value;
      squares += double{value} * double{value};
    }
    EXPECT_NEAR(sum / 30, 0, 1e-5);
    EXPECT_NEAR(squares / 30, 1, 1e-4);
    const double cents = 100 * (example.offset + example.scale * double{example.patches[0]});
    EXPECT_NEAR(cents, std::round(cents), 1e-2);
    EXPECT_GT(cents, 500);
  }
}

// A wave goes on: whoever continues the last step does better than "tomorrow is like today" on the
// first day, so there is something to learn; and the future is not simply the past.
TEST(ForecastTask, CanBeLearnedButNotByStandingStill) {
  const auto task = make_task("forecast", {{"horizon", "1"}});
  double still = 0, straight = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Example example = sampled(*task, Split::held_out, 1, i);
    still += *task->baseline(example);
    const auto last = example.patches.end() - 1;
    const std::vector<float> guess = {*last + 0.7f * (*last - *(last - 1))};
    straight += task->score(answer_of(example), {.values = guess});
  }
  EXPECT_GT(still, 100);
  EXPECT_LT(straight, 0.8 * still);
}

TEST(ForecastTask, TakesAColumnOfATable) {
  const auto task = make_task("forecast", {{"column", "price"}}, table(200));
  std::set<double> trained, held_out;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    trained.insert(sampled(*task, Split::train, 1, i).offset);
    held_out.insert(sampled(*task, Split::held_out, 1, i).offset);
  }
  EXPECT_GT(trained.size(), 30u);
  EXPECT_FALSE(held_out.empty());
  ASSERT_EQ(task->notes().size(), 1u);
  EXPECT_EQ(task->notes()[0].message, "column 2 (price) of the table: 200 numbers.");
  EXPECT_NE(task->notes()[0].korean.find("2 (price)"), std::string::npos);
}

TEST(ForecastTask, RefusesBadTables) {
  const auto refused = [](std::string_view text, std::string_view column) {
    const std::string why = complaint(try_task("forecast", {{"column", column}}, text));
    EXPECT_TRUE(why.ends_with('.')) << text;
    return why;
  };
  EXPECT_NE(refused(table(50), "").find("66"), std::string::npos);
  EXPECT_NE(refused(table(100), "cost").find("day, price"), std::string::npos);
  EXPECT_NE(refused(table(100), "3").find("1 to 2"), std::string::npos);
  EXPECT_NE(refused(table(100), "day").find("line 2"), std::string::npos);
  EXPECT_NE(refused(table(100) + "d,many\n", "").find("line 102"), std::string::npos);
  EXPECT_NE(refused(table(100) + "d\n", "").find("line 102"), std::string::npos);
  EXPECT_NE(refused(table(100) + "d,\"1\n", "").find("quotation"), std::string::npos);
  EXPECT_NE(refused("\xff\n1\n", "").find("UTF-8"), std::string::npos);
  EXPECT_NE(refused("a\n", "").find("fewer"), std::string::npos);
  std::string flat;
  for (int i = 0; i < 100; ++i) flat += "5\n";
  EXPECT_NE(refused(flat, "").find("repeats"), std::string::npos);
}

TEST(ForecastTask, RefusesPatchesThatDoNotFit) {
  EXPECT_NE(complaint(try_task("forecast", {{"stride", "7"}})), "");
  EXPECT_NE(complaint(try_task("forecast", {{"days", "31"}})), "");
  EXPECT_NE(complaint(try_task("forecast", {{"days", "8"}, {"patch", "9"}})), "");
  EXPECT_EQ(complaint(try_task("forecast", {{"days", "120"}, {"horizon", "30"}})), "");
}

TEST(ForecastTask, ReadsTypedPrices) {
  const auto task = make_task("forecast");
  std::string prices;
  for (int i = 0; i < 30; ++i) prices += std::to_string(100 + i) + (i % 2 == 0 ? ", " : " ");
  const Example example = parsed(*task, prices);
  EXPECT_EQ(example.patches.size(), 54u);
  EXPECT_DOUBLE_EQ(example.offset, 114.5);
  EXPECT_FALSE(task->parse("1 2 3").example.ok());
  EXPECT_FALSE(task->parse(prices + " x").example.ok());
}

TEST(CsvColumn, ReadsCells) {
  const auto values = [](std::string_view text, std::string_view column) {
    const auto result = csv_column(text, column);
    return result.ok() ? result.value().values : std::vector<double>{};
  };
  EXPECT_EQ(values("1\n2\n3", ""), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(values("a,b\r\nx,2.5\r\ny,-3e2\r\n\r\n", ""), (std::vector<double>{2.5, -300}));
  EXPECT_EQ(values("\"a, \"\"b\"\"\",c\n1,2\n", "a, \"b\""), std::vector<double>{1});
  EXPECT_EQ(values("a,b\n1,2\n3,4", "2"), (std::vector<double>{2, 4}));
  // As spreadsheets save tables where the comma is the decimal point.
  EXPECT_EQ(values("day;price\nx;2,5\ny;-3\n", ""), (std::vector<double>{2.5, -3}));
  EXPECT_EQ(values("1,5;2,5\n3,5;4.5\n", "2"), (std::vector<double>{2.5, 4.5}));
  EXPECT_EQ(values("\"a;b\",c\n\"x;y\",7\n", ""), std::vector<double>{7});
  EXPECT_EQ(values("day\tprice\nx\t2\n", "price"), std::vector<double>{2});
  for (std::string_view bad : {"", "nan", "inf", "0x10", "1e400", "1,5", "--1", "1e99999"}) {
    EXPECT_FALSE(parse_decimal(bad).has_value()) << bad;
  }
  EXPECT_EQ(parse_decimal(" -1.5e3 "), -1500);
}

TEST(ForecastTask, IsDrawnAsPricesWithTheirSequel) {
  const auto task = make_task("forecast");
  const Example example = sampled(*task, Split::held_out, 1, 0);
  const Depiction drawn = task->depict(example);
  ASSERT_TRUE(drawn.is_line());
  EXPECT_EQ(drawn.values.size(), 30u);
  EXPECT_EQ(drawn.truth.size(), 3u);
  EXPECT_EQ(drawn.patches(), 9);
  for (std::size_t day = 0; day < 6; ++day) {
    EXPECT_NEAR(drawn.values[day], example.offset + example.scale * example.patches[day], 1e-3);
  }
  EXPECT_NEAR(drawn.values.back(), example.offset + example.scale * example.patches.back(), 1e-3);
  std::string prices;
  for (int day = 0; day < 30; ++day) prices += std::to_string(100 + day) + " ";
  const Depiction typed = task->depict(parsed(*task, prices));
  EXPECT_NEAR(typed.values[29], 129, 1e-3);
  EXPECT_TRUE(typed.truth.empty());
}

}  // namespace
}  // namespace tp::test
