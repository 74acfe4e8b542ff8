// What comes of an input that somebody types.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/session/session_driver.h"

namespace tp::test {
namespace {

TryResult try_input(Driver& driver, const std::string& text, double temperature = 0, int top_k = 0,
                    std::uint32_t seed = 0) {
  const std::uint32_t id = driver.send(TryInput{text, temperature, top_k, seed});
  const Snapshot s = driver.settle();
  EXPECT_TRUE(s.tried.has_value());
  EXPECT_EQ(s.tried->id, id);
  EXPECT_TRUE(s.tried->done);
  EXPECT_EQ(s.tried->input, text);
  return *s.tried;
}

void expect_candidates(const TryStep& step) {
  ASSERT_FALSE(step.candidates.empty());
  EXPECT_LE(step.candidates.size(), 8u);
  double sum = 0;
  for (std::size_t i = 0; i < step.candidates.size(); ++i) {
    sum += step.candidates[i].probability;
    EXPECT_LE(step.candidates[i].probability, step.candidates[i > 0 ? i - 1 : 0].probability);
  }
  EXPECT_LE(sum, 1 + 1e-9);
}

TEST(Trial, GrowsTokenByTokenAndSaysWhatIsRight) {
  Driver driver;
  driver.start(quick_run());
  driver.settle();
  const TryResult untrained = try_input(driver, "a b c d");
  EXPECT_EQ(untrained.source, (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_EQ(untrained.expected, "d c b a");
  ASSERT_FALSE(untrained.steps.empty());
  for (const TryStep& step : untrained.steps) expect_candidates(step);
  EXPECT_FALSE(untrained.right);

  driver.step(600);
  driver.settle();
  EXPECT_GT(values_of(driver.last(), "heldout_exact").back(), 0.95);
  // A piece is a token: the answer grows from snapshot to snapshot.
  driver.send(TryInput{"abcd"});
  std::vector<std::size_t> lengths;
  for (int i = 0; i < 100; ++i) {
    driver.session().work(0);
    driver.take();
    if (driver.last().tried) lengths.push_back(driver.last().tried->steps.size());
    if (driver.last().tried && driver.last().tried->done) break;
  }
  EXPECT_GT(lengths.size(), 5u);
  for (std::size_t i = 1; i < lengths.size(); ++i) EXPECT_LE(lengths[i] - lengths[i - 1], 1u);
  const TryResult& learned = *driver.last().tried;
  EXPECT_EQ(learned.output, "d c b a");
  EXPECT_TRUE(learned.right);
  ASSERT_EQ(learned.steps.size(), 5u);
  EXPECT_EQ(learned.steps.back().token, "<eos>");
  for (const TryStep& step : learned.steps) EXPECT_TRUE(step.right);
}

TEST(Trial, SamplesByItsSeed) {
  Driver driver;
  driver.start(small_run());
  driver.settle();
  const TryResult one = try_input(driver, "abc", 2.0, 5, 1),
                  again = try_input(driver, "abc", 2.0, 5, 1);
  EXPECT_EQ(one.output, again.output);
  bool differs = false;
  for (int seed = 2; seed < 6; ++seed) {
    differs |= try_input(driver, "abc", 2.0, 5, seed).output != one.output;
  }
  EXPECT_TRUE(differs);
  for (const TryStep& step : one.steps) {
    EXPECT_EQ(step.candidates.size(), 5u);
    double sum = 0;
    for (const Candidate& candidate : step.candidates) sum += candidate.probability;
    EXPECT_NEAR(sum, 1, 1e-9);
  }
  EXPECT_FALSE(try_input(driver, "abc", -1).problem.korean.empty());
}

// An answer says of which weights it is, and going back asks those of then: whatever was on its
// way.
TEST(Trial, GoingBackAsksTheModelOfThatMoment) {
  Driver driver;
  driver.start(quick_run());
  driver.settle();
  const TryResult first = try_input(driver, "abcd");
  EXPECT_EQ(first.moment, (Moment{0, 0}));
  driver.step(600);
  driver.settle();
  const TryResult learned = try_input(driver, "abcd");
  EXPECT_EQ(learned.moment, (Moment{0, 600}));
  EXPECT_TRUE(learned.right);
  driver.send(Rewind{0, 0});
  Snapshot s = driver.settle();
  ASSERT_TRUE(s.tried.has_value());
  EXPECT_EQ(s.tried->moment, (Moment{0, 0}));
  EXPECT_EQ(s.tried->id, learned.id);
  EXPECT_EQ(s.tried->output, first.output);
  // Passing a moment on the way leaves nothing of it.
  driver.send(Rewind{0, 600});
  driver.session().work(0);
  driver.send(Rewind{0, 0});
  s = driver.settle();
  EXPECT_TRUE(s.tried->done);
  EXPECT_EQ(s.tried->moment, (Moment{0, 0}));
  EXPECT_EQ(s.tried->output, first.output);
}

TEST(Trial, SamplesSayOfWhichStepTheyAre) {
  Driver driver;
  driver.watch(kSamples);
  driver.start(quick_run());
  driver.step(40);
  Snapshot s = driver.settle();
  ASSERT_EQ(s.samples.size(), 6u);
  EXPECT_EQ(s.samples[0].moment, (Moment{0, 40}));
  driver.send(Rewind{0, 0});
  s = driver.settle();
  for (const Sample& sample : s.samples) EXPECT_EQ(sample.moment, (Moment{0, 0}));
}

TEST(Trial, WhatIsNotTrainedForIsSaidWithARemedy) {
  struct Case {
    const char *task, *input;
    bool answered;
    const char *name, *value;
  };
  for (const Case& c : {Case{"reverse", "abc", true, "min_length", "3"},
                        Case{"reverse", "abcdefab", false, "max_length", "8"},
                        Case{"balance", "(())(())(())(())(())()()", false, "max_length", "24"},
                        Case{"add", "12345+1", false, "digits", "5"}}) {
    Driver driver;
    driver.start(std::string_view(c.task) == "reverse" ? quick_run() : small_run(c.task));
    driver.settle();
    const TryResult result = try_input(driver, c.input);
    EXPECT_EQ(result.problem.empty(), c.answered) << c.input;
    EXPECT_NE(result.untrained.empty(), c.answered) << c.input;
    EXPECT_EQ(result.untrained.korean.empty(), result.untrained.english.empty());
    ASSERT_EQ(result.remedy.size(), 1u) << c.input;
    EXPECT_EQ(result.remedy[0].name, c.name);
    EXPECT_EQ(result.remedy[0].value, c.value);
  }
  Driver driver;
  driver.start(quick_run());
  driver.settle();
  EXPECT_TRUE(try_input(driver, "abcd").untrained.empty());
  EXPECT_TRUE(try_input(driver, "abcd").remedy.empty());
  EXPECT_TRUE(try_input(driver, std::string(65, 'a')).remedy.empty());  // no setting takes that
}

// What was typed takes the place of the held-out example, with the answer that the model gave.
TEST(Trial, WhatWasTypedCanBeLookedAt) {
  for (const TaskEntry& entry : all_tasks()) {
    if (entry.info.material == Material::required) continue;
    SCOPED_TRACE(entry.info.name);
    Driver driver;
    driver.watch(kAttention);
    driver.start(small_run(entry.info.name));
    driver.step(3);
    driver.send(ChooseExample{1});
    Snapshot s = driver.settle();
    const std::string typed = s.example->source_text;
    driver.send(ChooseExample{0});
    driver.send(ChooseExample{kTypedExample});
    s = driver.settle();
    EXPECT_EQ(s.example->index, 0);  // nothing was tried yet
    const TryResult result = try_input(driver, typed);
    s = driver.settle();
    ASSERT_EQ(s.example->index, kTypedExample);
    EXPECT_EQ(s.example->answer_text, "");
    if (entry.info.kind == TaskKind::encoder_decoder) {
      EXPECT_EQ(s.example->source, result.source);
      EXPECT_EQ(s.example->written[0], result.steps[0].token);
    }
    if (entry.info.kind == TaskKind::decoder_only) {
      EXPECT_EQ(s.example->written.back(),
                result.steps[s.example->read.size() - result.source.size()].token);
    }
    for (const WatchedTensor& map : s.tensors) {
      EXPECT_EQ(map.rows, std::ssize(tokens_along(map.row_axis, *s.example)));
      EXPECT_EQ(map.columns, std::ssize(tokens_along(map.column_axis, *s.example)));
    }
    for (const Still& still : s.stills) EXPECT_EQ(still.rows, s.tensors.back().rows);
    driver.step(2);
    driver.settle();
    driver.send(Rewind{0, 0});
    s = driver.settle();
    EXPECT_EQ(s.example->index, kTypedExample);
    // What cannot be read cannot be shown.
    driver.send(TryInput{""});
    EXPECT_EQ(driver.settle().example->index, 0);
    driver.send(TryInput{typed});
    EXPECT_EQ(driver.settle().example->index, kTypedExample);
    driver.send(ChooseExample{2});
    EXPECT_EQ(driver.settle().example->index, 2);
  }
}

// Marks that no answer holds are neither written nor among what was likely.
TEST(Trial, NoMarkIsWrittenButTheEnd) {
  for (const char* task : {"reverse", "translate", "text", "add", "date"}) {
    Driver driver;
    driver.watch(kSamples);
    RunConfig run = small_run(task);
    driver.start(std::move(run));
    const Snapshot s = driver.settle();
    for (int seed = 0; seed < 4; ++seed) {
      const TryResult result = try_input(driver, s.example->source_text, 2.0, 0, seed);
      for (const TryStep& step : result.steps) {
        for (const Candidate& candidate : step.candidates) {
          EXPECT_NE(candidate.token, "<pad>") << task;
          EXPECT_NE(candidate.token, "<bos>") << task;
        }
      }
    }
    for (const Sample& sample : s.samples) {
      EXPECT_EQ(sample.judged, std::string_view(task) != "text");
    }
  }
}

TEST(Trial, WordsThatAreNotKnownAreNamed) {
  Driver driver;
  driver.start(small_run());
  driver.settle();
  TryResult result = try_input(driver, "a b 꽃");
  EXPECT_FALSE(result.problem.english.empty());
  EXPECT_FALSE(result.problem.korean.empty());
  EXPECT_EQ(result.unknown_word, "꽃");
  EXPECT_EQ(result.known_words.size(), 9u);
  EXPECT_TRUE(result.steps.empty());
  result = try_input(driver, "abcdefabcdef");  // longer than trained
  EXPECT_FALSE(result.problem.korean.empty());
  EXPECT_TRUE(result.unknown_word.empty());
  EXPECT_FALSE(try_input(driver, "  ").problem.korean.empty());
}

TEST(Trial, KoreanGoesIn) {
  Driver driver;
  driver.start(small_run("translate"));
  driver.settle();
  const TryResult result = try_input(driver, "나는 학교에 간다");
  EXPECT_EQ(result.source, (std::vector<std::string>{"나", "는", "학교", "에", "간다"}));
  EXPECT_EQ(result.expected, "I go to school");
  EXPECT_FALSE(result.steps.empty());
  const TryResult unknown = try_input(driver, "나는 우주에 간다");
  EXPECT_EQ(unknown.unknown_word, "우주에");
  EXPECT_FALSE(unknown.known_words.empty());
}

TEST(Trial, ClassesHaveProbabilities) {
  Driver driver;
  driver.start(small_run("balance"));
  driver.settle();
  const TryResult result = try_input(driver, "(())");
  ASSERT_EQ(result.steps.size(), 1u);
  ASSERT_EQ(result.steps[0].candidates.size(), 2u);
  EXPECT_NEAR(result.steps[0].candidates[0].probability + result.steps[0].candidates[1].probability,
              1, 1e-9);
  EXPECT_EQ(result.expected, "balanced");
  EXPECT_EQ(result.right, result.output == "balanced");
}

TEST(Trial, TextsGoOn) {
  Driver driver;
  RunConfig run = small_run("text");
  ASSERT_TRUE(set_by_name(run.task_parameters->properties(), "length", "8").ok());
  driver.start(std::move(run));
  driver.settle();
  const TryResult result = try_input(driver, "the ");
  EXPECT_TRUE(result.problem.empty()) << result.problem.english;
  EXPECT_EQ(result.steps.size(), 10u);  // longer than the model reaches back
  EXPECT_FALSE(result.expected.has_value());
  driver.watch(kSamples | kAttention);
  const Snapshot s = driver.settle();
  ASSERT_EQ(s.samples.size(), 6u);
  EXPECT_FALSE(s.samples[0].source.empty());
  EXPECT_EQ(s.tensors[0].path, "decoder.0.self_attn.head.0.weights");
  EXPECT_EQ(s.tensors[0].row_axis, AxisKind::target_token);
  EXPECT_EQ(s.example->written.size(), 8u);
}

TEST(Trial, NumbersComeOnTheScaleTyped) {
  Driver driver;
  driver.start(small_run("forecast"));
  driver.settle();
  std::string prices;
  for (int day = 0; day < 30; ++day) prices += std::to_string(1000 + day % 5) + " ";
  const TryResult result = try_input(driver, prices);
  EXPECT_TRUE(result.problem.empty()) << result.problem.english;
  double first = 0;
  ASSERT_EQ(std::sscanf(result.output.c_str(), "%lf", &first), 1) << result.output;
  EXPECT_NEAR(first, 1000, 20);
  EXPECT_FALSE(try_input(driver, "1 2 3").problem.korean.empty());
  driver.watch(kSamples);
  EXPECT_EQ(driver.settle().samples.size(), 6u);
}

// Whatever the task: what is shown fits together, and something can be tried.
TEST(Trial, EveryTaskShowsAndAnswers) {
  for (const TaskEntry& entry : all_tasks()) {
    if (entry.info.material == Material::required) continue;
    Driver driver;
    driver.watch(kAttention | kSamples);
    driver.start(small_run(entry.info.name));
    driver.step(3);
    Snapshot s = driver.settle();
    EXPECT_TRUE(s.error.empty()) << entry.info.name << ": " << s.error.english;
    EXPECT_EQ(s.samples.size(), 6u) << entry.info.name;
    ASSERT_FALSE(s.tensors.empty()) << entry.info.name;
    ASSERT_TRUE(s.example.has_value());
    for (const WatchedTensor& map : s.tensors) {
      EXPECT_EQ(map.rows, std::ssize(tokens_along(map.row_axis, *s.example))) << entry.info.name;
      EXPECT_EQ(map.columns, std::ssize(tokens_along(map.column_axis, *s.example)));
      EXPECT_EQ(s.example->read.size(), s.example->written.size());
    }
    const TryResult result = try_input(driver, s.example->source_text);
    // Patches are drawn, with what is predicted beside what is true.
    const bool line = entry.info.kind == TaskKind::patch_regressor;
    const bool patches = line || entry.info.kind == TaskKind::patch_classifier;
    EXPECT_EQ(s.example->drawn.patches(), patches ? std::ssize(s.example->source) : 0);
    EXPECT_EQ(result.drawn.patches(), s.example->drawn.patches());
    EXPECT_EQ(result.drawn.predicted.empty(), !line);
    EXPECT_EQ(s.samples[0].drawn.values, s.example->drawn.values);
    EXPECT_EQ(s.samples[0].drawn.predicted.size(), s.samples[0].drawn.truth.size());
    EXPECT_TRUE(result.problem.empty()) << entry.info.name << ": " << result.problem.english;
    const std::string garbage = "\x01 ☃ 12 zzz";
    const TryResult wrong = try_input(driver, garbage);
    EXPECT_TRUE(wrong.problem.empty() || !wrong.problem.korean.empty()) << wrong.problem.english;
  }
}

}  // namespace
}  // namespace tp::test
