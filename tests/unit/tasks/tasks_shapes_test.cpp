#include <cmath>
#include <map>
#include <set>

#include "tests/unit/tasks/tasks_subjects.h"

namespace tp::test {
namespace {

TEST(ShapesTask, DrawsEveryShapeOnWhole) {
  const auto task = make_task("shapes", {{"noise", "0"}, {"size", "12"}});
  EXPECT_EQ(task->sizes().source, 9);
  EXPECT_EQ(task->sizes().patch_size, 16);
  std::map<int, int> labels;
  for (std::uint64_t i = 0; i < 6000; ++i) ++labels[sampled(*task, Split::held_out, 1, i).label];
  ASSERT_EQ(labels.size(), 6u);
  for (const auto& [label, count] : labels) EXPECT_NEAR(count, 1000, 150) << label;
}

// Without noise the picture says where the shape is: no two shapes look alike, and no held-out
// picture is ever trained on.
TEST(ShapesTask, HoldsOutPlacesAndConfusesNothing) {
  const auto task = make_task("shapes", {{"noise", "0"}, {"size", "12"}});
  std::map<std::string, int> label_of;
  std::set<std::string> trained, held_out;
  for (std::uint64_t i = 0; i < 30000; ++i) {
    for (Split split : {Split::train, Split::held_out}) {
      const Example example = sampled(*task, split, i, i);
      const std::string picture = task->source_text(example);
      (split == Split::train ? trained : held_out).insert(picture);
      EXPECT_EQ(label_of.emplace(picture, example.label).first->second, example.label) << picture;
    }
  }
  // Sides of 5 to 9 pixels have 8 * 8 + ... + 4 * 4 = 190 places, for each of 6 shapes.
  EXPECT_EQ(trained.size() + held_out.size(), 6u * 190u);
  EXPECT_NEAR(static_cast<double>(held_out.size()), 114, 30);
  for (const std::string& picture : held_out) EXPECT_EQ(trained.count(picture), 0u);
}

TEST(ShapesTask, CutsThePictureIntoPatches) {
  const auto task = make_task("shapes", {{"size", "12"}});
  std::string rows;
  for (int y = 0; y < 12; ++y) {
    for (int x = 0; x < 12; ++x) rows += x == 5 && y == 2 ? '#' : '.';
    rows += '\n';
  }
  const Example example = parsed(*task, rows);
  // Patch 1 of the first row, its row 2, its column 1.
  for (std::size_t i = 0; i < example.patches.size(); ++i) {
    EXPECT_EQ(example.patches[i] > 0, i == 16 + 2 * 4 + 1) << i;
  }
  EXPECT_FALSE(task->parse("#.# ...").example.ok());
  rows[3] = 'x';
  EXPECT_NE(task->parse(rows).example.error().message.find("row 1"), std::string::npos);
}

TEST(ShapesTask, AddsNoise) {
  const auto task = make_task("shapes", {{"noise", "0.2"}, {"size", "16"}});
  EXPECT_EQ(task->sizes().source, 16);
  const Example example = sampled(*task, Split::train, 1, 0);
  std::set<float> values(example.patches.begin(), example.patches.end());
  EXPECT_GT(values.size(), 250u);
}

// Row by row, as a person sees it: ink is 1.
TEST(ShapesTask, IsDrawnAsThePictureThatItWas) {
  const auto task = make_task("shapes", {{"size", "12"}});
  std::string rows;
  for (int y = 0; y < 12; ++y) rows += (y ? " " : "") + std::string(12, '.');
  rows[13 * 2 + 5] = '#';
  const Depiction drawn = task->depict(parsed(*task, rows));
  ASSERT_TRUE(drawn.is_picture());
  EXPECT_FALSE(drawn.is_line());
  EXPECT_EQ(drawn.patches(), task->sizes().source);
  for (std::size_t i = 0; i < drawn.values.size(); ++i) {
    EXPECT_NEAR(drawn.values[i], i == 12 * 2 + 5 ? 0.85 : 0.15, 1e-6) << i;
  }
}

}  // namespace
}  // namespace tp::test
