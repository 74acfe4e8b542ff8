#include "engine/train/series.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/subjects/small_run.h"

namespace tp::test {
namespace {

TEST(Series, EveryOneIsDescribedInBothLanguagesOnce) {
  std::set<std::string_view> names;
  for (const SeriesInfo& info : all_series()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.english.empty() || info.english_title.empty()) << info.name;
    EXPECT_FALSE(info.korean_title.empty()) << info.name;
    EXPECT_TRUE(info.korean.ends_with("니다.")) << info.name;
  }
  EXPECT_EQ(series_info("loss")->name, "loss");
  EXPECT_EQ(series_info("update_ratio")->name, "update_ratio");
  EXPECT_EQ(series_info("update_ratio.encoder.layers.0")->name, "update_ratio.");
  EXPECT_EQ(series_info("update_ratio."), nullptr);
  EXPECT_EQ(series_info("nonsense"), nullptr);
}

// Whatever a task measures is a column of its table, and columns are series of the list.
TEST(Series, EverythingMeasuredIsAColumn) {
  for (const char* task : {"reverse", "translate", "text", "shapes", "forecast"}) {
    const std::unique_ptr<Trainer> trainer = make_trainer(small_run(task));
    train(*trainer, 1);
    const ModelConfig& config = trainer->model().config();
    const std::vector<std::string> columns = series_columns(config, trainer->layers());
    for (const std::string& column : columns) EXPECT_NE(series_info(column), nullptr) << column;
    SeriesValues values;
    step_values(*trainer, 0.5, values);
    exam_values(trainer->evaluate(), config, values);
    std::set<std::string> once;
    for (const SeriesValue& value : values.list) {
      EXPECT_NE(std::ranges::find(columns, value.name), columns.end()) << value.name;
      EXPECT_TRUE(once.insert(value.name).second) << value.name;
    }
    EXPECT_EQ(once.contains("heldout_alignment.decoder.1.cross_attn.head.1"),
              once.contains("heldout_alignment"))
        << task;
    EXPECT_TRUE(once.contains("tokens_per_second"));
    EXPECT_TRUE(once.contains("loss_scale"));
  }
}

}  // namespace
}  // namespace tp::test
