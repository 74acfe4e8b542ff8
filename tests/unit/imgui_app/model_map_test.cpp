#include "imgui_app/model/model_map.h"

#include <gtest/gtest.h>

namespace tp::ui {
namespace {

WatchedTensor tensor(const char* path, std::vector<std::string> inputs,
                     AxisKind rows = AxisKind::source_token, AxisKind columns = AxisKind::feature) {
  WatchedTensor made;
  made.path = path;
  made.operation = "linear";
  made.inputs = std::move(inputs);
  made.row_axis = rows;
  made.column_axis = columns;
  made.rows = 10, made.columns = 64;
  return made;
}

WatchedTensor parameter(const char* path, int rows, int columns) {
  WatchedTensor made;
  made.path = path;
  made.operation = "parameter";
  made.rows = rows, made.columns = columns;
  return made;
}

// A little of an encoder-decoder, in the order in which a session lists it.
std::vector<WatchedTensor> some() {
  constexpr AxisKind kTarget = AxisKind::target_token;
  return {
      tensor("source.embedded", {"src_embed.weight"}),
      tensor("encoder.0.self_attn.head.0.query", {"source.embedded", "self.in_proj_weight"}),
      tensor("encoder.0.self_attn.head.1.query", {"source.embedded", "self.in_proj_weight"}),
      tensor("encoder.0.self_attn.output", {"encoder.0.self_attn.head.1.query"}),
      tensor("encoder.0.residual1", {"source.embedded", "encoder.0.self_attn.output"}),
      tensor("encoder.norm.mean", {"encoder.0.residual1"}, AxisKind::source_token, AxisKind::one),
      tensor("encoder.norm.output", {"encoder.0.residual1"}),
      tensor("target.embedded", {"tgt_embed.weight"}, kTarget),
      tensor("decoder.0.cross_attn.head.0.weights", {"encoder.norm.output"}, kTarget,
             AxisKind::source_token),
      tensor("head.logits", {"decoder.0.cross_attn.head.0.weights", "src_embed.weight"}, kTarget,
             AxisKind::output),
      tensor("head.losses", {"head.logits"}, kTarget, AxisKind::one),
      tensor("encoder.0.d_residual1", {}),
      parameter("src_embed.weight", 30, 10),
      parameter("self.in_proj_weight", 10, 60),
      parameter("tgt_embed.weight", 10, 10),
      {.path = "self.d_in_proj_weight", .operation = "gradient of a parameter"},
  };
}

TEST(ModelMap, BlocksComeFromPathsInTheOrderOfComputation) {
  const ModelMap map(some());
  std::vector<std::string> blocks;
  for (const int block : map.blocks()) blocks.push_back(map[block].path);
  EXPECT_EQ(blocks, (std::vector<std::string>{"source", "encoder.0", "encoder.norm", "target",
                                              "decoder.0", "head"}));
  const int attention = map.find("encoder.0.self_attn");
  ASSERT_GE(attention, 0);
  EXPECT_EQ(map[attention].name, "self_attn");
  EXPECT_EQ(map[attention].depth, 1);
  std::vector<std::string> parts;
  for (const int part : map[attention].children) parts.push_back(map[part].name);
  // The parameter of both heads stands before them.
  EXPECT_EQ(parts, (std::vector<std::string>{"in_proj_weight", "head.0", "head.1", "output"}));
  EXPECT_EQ(map.find("self.d_in_proj_weight"), -1);
  EXPECT_EQ(map.find("encoder.0.d_residual1"), -1);
  EXPECT_TRUE(map[map.find("encoder.0.residual1")].has_gradient);
  EXPECT_FALSE(map[map.find("head.losses")].has_gradient);
}

TEST(ModelMap, ABlockShowsWhatItMakes) {
  const ModelMap map(some());
  const auto output = [&](const char* path) { return map[map[map.find(path)].output].path; };
  EXPECT_EQ(output("encoder.0"), "encoder.0.residual1");
  EXPECT_EQ(output("encoder.0.self_attn"), "encoder.0.self_attn.output");
  EXPECT_EQ(output("encoder.norm"), "encoder.norm.output");
  EXPECT_EQ(output("head"), "head.logits");  // not the loss, a number for each token
  EXPECT_EQ(output("head.losses"), "head.losses");
}

TEST(ModelMap, SidesAndTheBridgeBetweenThem) {
  const ModelMap map(some());
  EXPECT_TRUE(map.reads(map.find("source")));
  EXPECT_TRUE(map.reads(map.find("encoder.norm")));
  EXPECT_FALSE(map.reads(map.find("head")));
  EXPECT_TRUE(map.crosses(map.find("decoder.0")));
  EXPECT_FALSE(map.crosses(map.find("head")));  // a shared parameter is no bridge
  EXPECT_FALSE(map.crosses(map.find("encoder.0")));
  // Alone, a side has nothing to be beside.
  std::vector<WatchedTensor> alone = some();
  alone.resize(7);
  const ModelMap encoder(alone);
  EXPECT_FALSE(encoder.reads(encoder.find("source")));
}

TEST(ModelMap, CountsParametersWhereTheyAreUsed) {
  const ModelMap map(some());
  EXPECT_EQ(map.parameters(), 300 + 600 + 100);
  EXPECT_EQ(map[map.find("source")].parameters, 300);  // shared with the head: where it is first
  EXPECT_EQ(map[map.find("encoder.0")].parameters, 600);
  EXPECT_EQ(map[map.find("head")].parameters, 0);
  const MapNode& weight = map[map.find("src_embed.weight")];
  EXPECT_TRUE(weight.parameter);
  EXPECT_EQ(weight.name, "src_embed.weight");
  EXPECT_EQ(map[weight.parent].path, "source");
}

TEST(ModelMap, CompletesPathsAndPatterns) {
  const ModelMap map(some());
  const auto first = [&](const char* text) {
    const std::vector<int> found = map.matches(text, 1);
    return found.empty() ? "" : map[found.front()].path;
  };
  EXPECT_EQ(first("head.1"), "encoder.0.self_attn.head.1.query");
  EXPECT_EQ(first("decoder.*.weights"), "decoder.0.cross_attn.head.0.weights");
  EXPECT_EQ(first("nothing like it"), "");
  EXPECT_EQ(map.matches("", 3).size(), 3u);
}

TEST(ModelMap, KindsOfTensors) {
  EXPECT_EQ(kind_of("decoder.0.cross_attn.head.1.query"), TensorKind::query);
  EXPECT_EQ(kind_of("decoder.0.cross_attn.head.1.d_key"), TensorKind::key);
  EXPECT_EQ(kind_of("decoder.0.cross_attn.head.1.raw_scores"), TensorKind::scores);
  EXPECT_EQ(kind_of("decoder.0.cross_attn.head.1.weights"), TensorKind::weights);
  EXPECT_EQ(kind_of("decoder.0.cross_attn.output"), TensorKind::context);
  EXPECT_EQ(kind_of("encoder.layers.0.self_attn.in_proj_weight"), TensorKind::other);
  EXPECT_EQ(kind_of("encoder.0.residual2"), TensorKind::residual);
  EXPECT_EQ(kind_of("encoder.0.norm1.output"), TensorKind::norm);
  EXPECT_EQ(kind_of("encoder.layers.0.linear1.weight"), TensorKind::feed_forward);
  EXPECT_EQ(kind_of("head.logits"), TensorKind::other);
}

TEST(ModelMap, ReadsCells) {
  int row = -1, column = -1;
  EXPECT_TRUE(parse_cell("3,12", row, column));
  EXPECT_EQ(row, 3);
  EXPECT_EQ(column, 12);
  for (const char* bad : {"", "3", "3,", ",2", "3,2,1", "a,b", "3, 2", "-1,2", "9999999,1"}) {
    EXPECT_FALSE(parse_cell(bad, row, column)) << bad;
  }
}

}  // namespace
}  // namespace tp::ui
