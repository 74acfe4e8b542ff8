// Settings that change while a run goes on, files, estimates, and everything that can be wrong.

#include <gtest/gtest.h>

#include <cmath>

#include "engine/train/checkpoint.h"
#include "tests/session/session_driver.h"

namespace tp::test {
namespace {

TEST(Retune, EverySettingThatChangedIsAnEvent) {
  Driver driver;
  driver.start(small_run());
  driver.step(5);
  driver.settle();
  driver.send(Retune{R"({"learning_rate": 0.01, "clip": 0.5, "warmup": 5, "dropout": 0.1})"});
  Snapshot s = driver.settle();
  EXPECT_TRUE(s.error.empty()) << s.error.english;
  ASSERT_EQ(s.events.size(), 3u);  // warmup was 5
  EXPECT_EQ(s.events[0].name, "learning_rate");
  EXPECT_EQ(s.events[0].before, "0.002");
  EXPECT_EQ(s.events[0].after, "0.01");
  EXPECT_EQ(s.events[0].step, 5u);
  driver.step();
  s = driver.settle();
  EXPECT_NEAR(values_of(s, "learning_rate").back(), 0.01, 2e-3);
  // What cannot change is refused, and then nothing has changed.
  for (const char* wrong : {R"({"clip": 0.7, "batch": 12})", R"({"learning_rate": "much"})",
                            R"({"learning_speed": 1})", "nonsense", R"({"clip": -1})"}) {
    driver.send(Retune{wrong});
    const Snapshot after = driver.settle();
    EXPECT_FALSE(after.error.empty()) << wrong;
    EXPECT_FALSE(after.error.korean.empty()) << after.error.english;
    EXPECT_EQ(after.events.size(), 3u);
  }
}

TEST(Retune, ARunThatIsFinishedGoesOnWithMoreSteps) {
  Driver driver;
  driver.start(small_run(), true);
  EXPECT_EQ(driver.settle().state, RunState::finished);
  EXPECT_EQ(driver.last().moment.step, 40u);
  EXPECT_EQ(steps_of(driver.last(), "heldout_loss").back(), 40u);
  driver.send(Retune{R"({"steps": 50})"});
  EXPECT_EQ(driver.settle().state, RunState::paused);
  EXPECT_EQ(driver.last().total_steps, 50u);
  driver.play();
  EXPECT_EQ(driver.settle().moment.step, 50u);
  EXPECT_EQ(driver.last().state, RunState::finished);
}

// ------------------------------------------------------------------------------------------- files

// What the run that ends still has to tell comes first, and does not count as the answer.
TEST(Start, IsAnsweredByTheNewRun) {
  Driver driver;
  driver.start(quick_run());
  driver.settle();
  driver.step(3);
  for (int i = 0; i < 100'000 && driver.session().work(0) == 0; ++i) {
  }
  RunConfig next = first_look();
  const std::uint32_t id = driver.send(Start{json_of(next)});
  for (const std::uint32_t run : {1u, 2u}) {
    std::vector<std::byte> bytes = driver.session().take_snapshot();
    for (int i = 0; i < 1000 && bytes.empty(); ++i) {
      driver.session().work(0);
      bytes = driver.session().take_snapshot();
    }
    const Result<Snapshot> told = decode_snapshot(bytes);
    ASSERT_TRUE(told.ok());
    EXPECT_EQ(told.value().run, run);
    EXPECT_EQ(told.value().answered >= id, run == 2);
  }
}

TEST(Files, ARunComesBackAndGoesOnBitForBit) {
  RunConfig run = small_run();
  run.train.dropout = 0.1;
  Driver driver;
  driver.start(std::move(run));
  driver.step(12);
  driver.settle();
  driver.send(Save{});
  Snapshot saved = driver.settle();
  EXPECT_EQ(saved.file_name, "reverse-step-12.safetensors");
  driver.step(8);
  const std::uint64_t later = driver.settle().weights_hash;

  Driver other;
  other.send(Load{saved.file_name, saved.file});
  Snapshot s = other.settle();
  EXPECT_TRUE(s.error.empty()) << s.error.english;
  EXPECT_EQ(s.run, 1u);
  EXPECT_EQ(s.moment.step, 12u);
  EXPECT_EQ(s.weights_hash, saved.weights_hash);
  EXPECT_EQ(s.config, saved.config);
  EXPECT_EQ(s.state, RunState::paused);
  ASSERT_EQ(s.events.size(), 1u);
  EXPECT_EQ(s.events[0].kind, EventKind::loaded);
  other.step(8);
  EXPECT_EQ(other.settle().weights_hash, later);
}

// A page has little memory; a run at a desk takes the text.
TEST(Start, ATextThatIsTooLargeIsRefusedWhereThereIsALimit) {
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += "n " + std::to_string(i) + "\tm\n";
  SessionOptions options;
  options.material_limit = 500;
  Driver page(options);
  page.send(Start{R"({"task": "pairs"})", lines});
  const Snapshot refused = page.settle();
  EXPECT_NE(refused.error.english.find("1 KB"), std::string::npos) << refused.error.english;
  EXPECT_FALSE(refused.error.korean.empty());
  Driver desk;
  desk.send(Start{R"({"task": "pairs"})", lines});
  EXPECT_TRUE(desk.settle().error.empty());
}

// Once: what is started again from the same lines was told.
TEST(Start, LinesThatAreLeftOutAreNamed) {
  std::string lines = "a b c d\te\n";
  for (int i = 0; i < 20; ++i) lines += "n " + std::to_string(i) + "\tm\n";
  Driver driver;
  const Start start{R"({"task": "pairs", "task_parameters": {"max_length": 3}})", lines};
  for (const bool first : {true, false}) {
    driver.send(start);
    driver.session().work(0);
    const Snapshot s = decode_snapshot(driver.session().take_snapshot()).value();
    EXPECT_EQ(s.warning.english.find("1 (1)") != std::string::npos, first) << s.warning.english;
    EXPECT_EQ(s.warning.korean.empty(), !first);
  }
}

// The command line reads and writes the same file.
TEST(Files, AreTheCommandLinesOwn) {
  RunConfig run = small_run();
  const std::string config = json_of(run);
  const auto trainer = make_trainer(run);
  train(*trainer, 4);
  const auto bytes = checkpoint_bytes(*trainer, config).value();
  const std::string path = ::testing::TempDir() + "session_checkpoint.safetensors";
  ASSERT_TRUE(save_checkpoint(path, *trainer, config).ok());
  const auto on_disk = read_file(path, 1u << 30);
  EXPECT_TRUE(std::ranges::equal(on_disk.value().bytes(), bytes));

  Driver driver;
  driver.send(Load{"x", bytes});
  EXPECT_EQ(driver.settle().weights_hash, trainer->weights_hash());
  driver.send(Save{});
  EXPECT_EQ(driver.settle().file, bytes);
}

// A run of the user's own lines is nothing without them.
TEST(Files, BringTheLinesAlong) {
  Driver driver;
  driver.start(std::move(default_run("pairs").value()));  // with those to try it with
  EXPECT_EQ(driver.settle().material.substr(0, 19), "red cat\tchat rouge\n");
  std::string lines;
  for (int i = 0; i < 12; ++i) lines += std::to_string(i) + "\tn " + std::to_string(i) + "\n";
  driver.start(std::move(default_run("pairs").value()), false, lines);
  driver.step(2);
  const std::uint64_t trained = driver.settle().weights_hash;
  driver.send(Save{});
  const std::vector<std::byte> file = driver.settle().file;

  Driver other;
  other.send(Load{"x", file});
  const Snapshot s = other.settle();
  EXPECT_TRUE(s.error.empty()) << s.error.english;
  EXPECT_EQ(s.weights_hash, trained);
  EXPECT_EQ(s.material, lines);
}

TEST(Files, WeightsAloneGoIntoTheRunThatIsThere) {
  const RunConfig run = small_run();
  const auto trainer = make_trainer(run);
  train(*trainer, 4);
  const ParameterStore<float>& parameters = trainer->model().parameters();
  std::vector<Shape> shapes;
  for (const ParameterEntry& entry : parameters.entries()) {
    shapes.emplace_back(entry.shape.begin(), entry.shape.end());
  }
  std::vector<TensorToWrite> tensors;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const ParameterEntry& entry = parameters.entries()[i];
    tensors.push_back(tensor_to_write(entry.name, shapes[i],
                                      parameters.values().subspan(entry.offset, entry.count)));
  }
  const auto whole = safetensors_bytes(tensors).value();
  tensors.pop_back();
  const auto part = safetensors_bytes(tensors).value();

  Driver driver;
  driver.send(Load{"weights", whole});
  EXPECT_FALSE(driver.settle().error.korean.empty());  // into what?
  driver.start(small_run());
  driver.step(2);
  driver.settle();
  driver.send(Load{"weights", whole});
  Snapshot s = driver.settle();
  EXPECT_TRUE(s.error.empty()) << s.error.english;
  EXPECT_TRUE(s.warning.empty()) << s.warning.english;
  EXPECT_EQ(s.weights_hash, trainer->weights_hash());
  EXPECT_EQ(s.moment.step, 0u);
  EXPECT_EQ(s.run, 2u);
  driver.send(Load{"weights", part});
  driver.session().work(0);
  s = decode_snapshot(driver.session().take_snapshot()).value();
  EXPECT_NE(s.warning.english.find("generator.bias"), std::string::npos) << s.warning.english;
  EXPECT_FALSE(s.warning.korean.empty());
}

TEST(Files, DamagedOnesChangeNothing) {
  Driver driver;
  driver.start(small_run());
  driver.step(3);
  driver.settle();
  driver.send(Save{});
  const Snapshot good = driver.settle();
  const auto refused = [&](std::vector<std::byte> bytes) {
    driver.send(Load{"x", std::move(bytes)});
    const Snapshot s = driver.settle();
    EXPECT_FALSE(s.error.empty());
    EXPECT_FALSE(s.error.korean.empty()) << s.error.english;
    EXPECT_EQ(s.weights_hash, good.weights_hash);
    EXPECT_EQ(s.run, good.run);
    EXPECT_EQ(s.moment.step, 3u);
  };
  refused({});
  refused(std::vector<std::byte>(100));
  refused({good.file.begin(), good.file.begin() + 2000});
  refused({good.file.begin(), good.file.end() - 1});
  std::vector<std::byte> other = good.file;
  const std::string text(reinterpret_cast<const char*>(other.data()), 4000);
  const std::size_t at = text.find("reverse");
  ASSERT_NE(at, std::string::npos);
  other[at] = std::byte{'q'};  // no such task
  refused(other);
}

// --------------------------------------------------------------------------------------- estimates

TEST(Estimates, AreWhatTheRunThenTakes) {
  Driver driver;
  RunConfig run = small_run("translate");
  const std::uint32_t id = driver.send(EstimateRun{json_of(run)});
  Snapshot s = driver.settle();
  ASSERT_TRUE(s.estimate.has_value());
  EXPECT_EQ(s.estimate->id, id);
  EXPECT_TRUE(s.estimate->problem.empty());
  const Estimate estimate = *s.estimate;
  const auto trainer = make_trainer(run);
  EXPECT_EQ(estimate.parameters, trainer->model().parameters().count());
  EXPECT_EQ(estimate.bytes, model_bytes<float>(trainer->model().config()) +
                                trainer->activations().arena.capacity());
  driver.start(std::move(run));
  s = driver.settle();
  EXPECT_EQ(s.parameters, estimate.parameters);
  EXPECT_EQ(s.bytes, estimate.bytes);
  EXPECT_EQ(s.flops, estimate.flops);
}

TEST(Estimates, SayWhatIsWrong) {
  Driver driver;
  RunConfig large = std::move(default_run("reverse").value());
  large.model.d_model = 4096;
  large.model.d_ff = 16384;
  RunConfig odd = small_run();
  odd.model.heads = 3;
  RunConfig slow = std::move(default_run("copy").value());
  slow.model.d_model = 512;
  slow.model.d_ff = 2048;
  slow.train.batch = 256;
  for (RunConfig* run : {&large, &odd, &slow}) {
    driver.send(EstimateRun{json_of(*run)});
    const Snapshot s = driver.settle();
    EXPECT_FALSE(s.estimate->problem.english.empty());
    EXPECT_FALSE(s.estimate->problem.korean.empty()) << s.estimate->problem.english;
    driver.start(std::move(*run));
    EXPECT_EQ(driver.settle().error, s.estimate->problem);
    EXPECT_EQ(driver.last().state, RunState::empty);
  }
}

// ----------------------------------------------------------------------------------- wrong
// commands

TEST(Wrong, CommandsChangeNothing) {
  Driver driver;
  driver.start(small_run());
  driver.step(3);
  const Snapshot before = driver.settle();
  const CommandBody wrong[] = {
      Start{"{"},
      Start{"{}"},
      Start{R"({"task": "juggle"})"},
      Start{R"({"task": "reverse", "modle": {}})"},
      Start{R"({"task": "reverse", "model": {"d_model": 99999}})"},
      Start{R"({"task": "reverse", "model": {"norm": "both"}})"},
      Start{R"({"task": "reverse", "task_parameters": {"min_length": 9, "max_length": 8}})"},
      Start{R"({"task": "pairs"})", "no tab\n"},
      Start{R"({"task": "text"})", "short"},
      Start{R"({"task": "forecast"})", "a,b\nc,d\n"},
      SetPace{-1},
      SetPace{std::nan("")},
      ChooseExample{kTypedExample - 1},
      Load{"x", {std::byte{1}}},
  };
  for (const CommandBody& command : wrong) {
    driver.send(command);
    driver.session().work(0);
    const Snapshot s = decode_snapshot(driver.session().take_snapshot()).value();
    EXPECT_FALSE(s.error.english.empty()) << text_of(command).name;
    EXPECT_FALSE(s.error.korean.empty()) << s.error.english;
    EXPECT_EQ(s.weights_hash, before.weights_hash);
    EXPECT_EQ(s.run, before.run);
  }
  driver.session().receive(std::vector<std::byte>(20));
  EXPECT_FALSE(driver.settle().error.empty());
  driver.step();
  EXPECT_EQ(driver.settle().moment.step, 4u);
}

TEST(Wrong, WhatWasWrongFirstIsWhyThereIsNoRun) {
  Driver driver;
  RunConfig run = small_run();
  run.model.heads = 3;
  driver.start(std::move(run));
  driver.watch(kAttention);
  driver.send(ChooseExample{2});
  const Snapshot s = driver.settle();
  EXPECT_EQ(s.state, RunState::empty);
  EXPECT_EQ(s.refused, 1u);
  EXPECT_EQ(s.answered, 3u);
  EXPECT_NE(s.error.english.find("heads"), std::string::npos) << s.error.english;
}

TEST(Wrong, TheRunTellsItsSettingsAgainWhenOthersAreRefused) {
  Driver driver;
  driver.start(small_run());
  const std::string config = driver.settle().config;
  const auto answer = [&](CommandBody command) {
    const std::uint32_t id = driver.send(std::move(command));
    const Snapshot s = decode_snapshot(driver.session().take_snapshot()).value();
    EXPECT_EQ(s.answered, id);
    return s;
  };
  for (const CommandBody& command : {CommandBody(Start{R"({"task": "pairs"})", "no tab"}),
                                     CommandBody(Retune{R"({"epochs": 3})"})}) {
    const Snapshot s = answer(command);
    EXPECT_EQ(s.refused, s.answered);
    EXPECT_EQ(s.config, config);
  }
  const Snapshot taken = answer(Retune{R"({"clip": 0.5})"});
  EXPECT_EQ(taken.refused, 0u);
  EXPECT_EQ(taken.config, "");
}

TEST(Wrong, ALossThatIsNoNumberStopsTheRunAndLosesNothing) {
  Driver driver;
  RunConfig run = small_run();
  run.train.schedule = ScheduleKind::constant;
  run.train.warmup = 0;
  run.train.steps = 100'000;
  run.train.eval_every = 100'000;
  driver.start(std::move(run));
  driver.step(5);
  driver.settle();
  driver.send(Retune{R"({"learning_rate": 1000, "clip": 0})"});
  EXPECT_TRUE(driver.settle().error.empty()) << driver.last().error.english;
  driver.play();
  Snapshot s = driver.settle();
  EXPECT_EQ(s.state, RunState::failed);
  EXPECT_NE(s.error.english.find("The loss has grown"), std::string::npos) << s.error.english;
  EXPECT_FALSE(s.error.korean.empty());
  // Whoever plays on is told so at every step, until it breaks.
  for (int i = 0; i < 1000 && s.error.english.find("The loss has grown") == 0; ++i) {
    const std::uint64_t before = s.moment.step;
    driver.play();
    s = driver.settle();
    ASSERT_EQ(s.state, RunState::failed) << s.moment.step;
    ASSERT_LE(s.moment.step, before + 1);
  }
  EXPECT_NE(s.error.english.find("step " + std::to_string(s.moment.step + 1)), std::string::npos)
      << s.error.english;
  EXPECT_FALSE(s.error.korean.empty());
  EXPECT_EQ(steps_of(s, "loss").back(), s.moment.step);
  // Back to before it went wrong, and on with a better rate.
  driver.send(Rewind{0, 5});
  EXPECT_EQ(driver.settle().moment.step, 5u);
  driver.send(Retune{R"({"learning_rate": 0.002})"});
  driver.step(5);
  EXPECT_EQ(driver.settle().moment, (Moment{1, 10}));
}

}  // namespace
}  // namespace tp::test
