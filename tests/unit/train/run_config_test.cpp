#include "engine/train/run_config.h"

#include <gtest/gtest.h>

#include "engine/io/property_json.h"
#include "engine/model/config_properties.h"
#include "engine/train/batch_maker.h"

namespace tp {
namespace {

TEST(RunConfig, EveryTaskHasARecipeThatIsValid) {
  for (const TaskEntry& entry : all_tasks()) {
    Result<RunConfig> run = default_run(entry.info.name);
    ASSERT_TRUE(run.ok());
    EXPECT_TRUE(validate(run.value().train).ok()) << entry.info.name;
    if (entry.info.material == Material::required) continue;
    const TaskResult task = make_task(run.value());
    ASSERT_TRUE(task.ok()) << entry.info.name;
    const ModelConfig fitted = fit_to_task(run.value().model, *task.value());
    EXPECT_TRUE(validate(fitted).ok()) << entry.info.name;
    EXPECT_EQ(fitted.architecture, run.value().model.architecture) << entry.info.name;
  }
}

TEST(RunConfig, GoesThroughJsonUnchanged) {
  RunConfig run = std::move(default_run("reverse").value());
  ASSERT_TRUE(apply_preset("first-look", run).ok());
  run.train.seed = 77;
  run.train.learning_rate = 1.25e-5;
  run.train.optimiser = OptimiserKind::adamw;
  run.model.norm = NormPlacement::post;
  run.model.scale_embedding = false;
  const std::string text = json_of(run);
  Result<RunConfig> read = run_from_json(text);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read.value().model, run.model);
  EXPECT_EQ(read.value().train, run.train);
  EXPECT_EQ(json_of(read.value()), text);
}

// What an earlier version saved goes on, though it names no settings that are newer.
TEST(RunConfig, ARunThatNamesFewerSettingsGoesOn) {
  const std::string now = json_of(default_run("pairs").value());
  std::string before = now;
  const std::size_t begin = before.find(",\n    \"vocabulary_size\"");
  ASSERT_NE(begin, std::string::npos);
  before.erase(begin, before.find("\n  }", begin) - begin);
  EXPECT_NE(before, now);
  EXPECT_TRUE(continues(before, now)) << before;
  std::string other = now;
  other.replace(other.find("\"min_count\": 1"), 14, "\"min_count\": 2");
  EXPECT_FALSE(continues(before, other));
}

// People script against these.
TEST(RunConfig, NamesStay) {
  RunConfig run = std::move(default_run("reverse").value());
  const std::string text = json_of(run);
  for (const char* line :
       {"\n  \"task\": \"reverse\"", "\n  \"seed\": 1", "\n  \"model\": {",
        "\n    \"architecture\": \"encoder-decoder\"", "\n    \"d_model\": 64",
        "\n    \"heads\": 4", "\n    \"d_ff\": 256", "\n    \"encoder_layers\": 2",
        "\n    \"decoder_layers\": 2", "\n    \"norm\": \"pre\"", "\n    \"activation\": \"relu\"",
        "\n    \"positions\": \"sinusoidal\"", "\n    \"scale_embedding\": true",
        "\n    \"norm_eps\": 1e-05"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << " in\n" << text;
  }
}

TEST(RunConfig, PresetsAreAsPromised) {
  RunConfig run = std::move(default_run("reverse").value());
  ASSERT_TRUE(apply_preset("first-look", run).ok());
  EXPECT_EQ(run.model.encoder_layers, 1);
  EXPECT_EQ(run.model.decoder_layers, 1);
  EXPECT_EQ(run.model.heads, 2);
  EXPECT_EQ(run.train.steps, 400);
  const TaskResult task = make_task(run);
  ASSERT_TRUE(task.ok());
  Example example;
  for (std::uint64_t i = 0; i < 20; ++i) {
    task.value()->sample(Split::train, 1, i, example);
    EXPECT_EQ(example.source.size(), 10u);
  }
  ASSERT_TRUE(apply_preset("small", run).ok());
  EXPECT_EQ(run.model.d_model, 128);
  ASSERT_TRUE(apply_preset("large", run).ok());
  EXPECT_EQ(run.model.d_model, 256);
  EXPECT_EQ(run.model.heads, 8);
  EXPECT_EQ(run.model.encoder_layers + run.model.decoder_layers, 8);
}

TEST(RunConfig, WhatIsWrongIsNamed) {
  const auto message = [](const auto& result) {
    return result.ok() ? std::string("no error") : result.error().message;
  };
  EXPECT_NE(message(default_run("fly")).find("copy, reverse"), std::string::npos);
  RunConfig run = std::move(default_run("copy").value());
  EXPECT_NE(message(apply_preset("huge", run)).find("first-look"), std::string::npos);
  EXPECT_NE(message(apply_preset("first-look", run)).find("reverse"), std::string::npos);
  EXPECT_FALSE(run_from_json("[").ok());
  EXPECT_FALSE(run_from_json("{}").ok());
  EXPECT_FALSE(run_from_json("{\"task\": 3}").ok());
  EXPECT_FALSE(run_from_json("{\"task\": \"copy\", \"speed\": 3}").ok());
  EXPECT_FALSE(run_from_json("{\"task\": \"copy\", \"model\": 3}").ok());
  const std::string model = "{\"task\": \"copy\", \"model\": {";
  EXPECT_NE(message(run_from_json(model + "\"norm\": \"both\"}}")).find("pre or post"),
            std::string::npos);
  EXPECT_NE(message(run_from_json(model + "\"heads\": 0}}")).find("from 1 to 64"),
            std::string::npos);
  EXPECT_FALSE(run_from_json(model + "\"heads\": [4]}}").ok());
}

TEST(RunConfig, AnArchitectureThatTheTaskCannotHaveIsRefused) {
  for (const TaskEntry& entry : all_tasks()) {
    RunConfig run = std::move(default_run(entry.info.name).value());
    const Architecture own = run.model.architecture;
    for (const Architecture other :
         {Architecture::encoder_decoder, Architecture::encoder_only, Architecture::decoder_only}) {
      if (other == own) continue;
      run.model.architecture = other;
      const TaskResult task = make_task(run, "a\tb\n");
      ASSERT_FALSE(task.ok());
      EXPECT_NE(task.error().message.find("architecture"), std::string::npos);
      EXPECT_FALSE(run_from_json(json_of(run)).ok());
    }
  }
  const auto refused =
      run_from_json("{\"task\": \"balance\", \"model\": {\"architecture\": \"decoder-only\"}}");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message,
            "the task balance is learned by an encoder-only model: change the architecture from "
            "decoder-only, or leave it out.");
}

TEST(PropertyJson, FlagsMaySpellNamesWithDashes) {
  ModelConfig config;
  EXPECT_TRUE(set_by_name(properties_of(config), "encoder-layers", "3").ok());
  EXPECT_EQ(config.encoder_layers, 3);
  EXPECT_FALSE(set_by_name(properties_of(config), "encoder-layer", "3").ok());
}

}  // namespace
}  // namespace tp
