#include <algorithm>
#include <set>

#include "engine/core/hash.h"
#include "tests/unit/tasks/tasks_subjects.h"

// What must hold for every task.

namespace tp::test {

std::string pairs_material() {
  std::string lines;
  for (int i = 100; i < 400; ++i) {
    const std::string source = std::to_string(i), target = std::to_string(2 * i);
    for (char digit : source) (lines += digit) += ' ';
    lines += '\t';
    for (char digit : target) (lines += digit) += ' ';
    lines += '\n';
  }
  return lines;
}

std::vector<std::unique_ptr<const Task>> default_tasks() {
  std::vector<std::unique_ptr<const Task>> tasks;
  for (const TaskEntry& entry : all_tasks()) {
    const bool needs = entry.info.material == Material::required;
    tasks.push_back(make_task(entry.info.name, {}, needs ? pairs_material() : ""));
  }
  return tasks;
}

namespace {

void add_numbers(const std::vector<int>& numbers, Hash& hash) {
  hash.add(numbers.size());
  for (int number : numbers) hash.add(static_cast<std::uint64_t>(number));
}

// Of what the model reads.
std::uint64_t source_fingerprint(const Task& task, const Example& example) {
  Hash hash;
  std::vector<int> read = example.source;
  if (task.info().kind == TaskKind::decoder_only) {
    read.assign(example.target.begin(), example.target.end() - 1);
  }
  add_numbers(read, hash);
  return hash.add(std::span<const float>(example.patches)).value();
}

void add_example(const Example& example, Hash& hash) {
  add_numbers(example.source, hash);
  add_numbers(example.target, hash);
  hash.add(std::span<const float>(example.patches));
  hash.add(static_cast<std::uint64_t>(example.label));
  hash.add(std::span<const float>(example.values));
  for (const Link& link : example.links) add_numbers({link.output, link.source, link.scored}, hash);
}

TEST(Tasks, AreRegisteredOnce) {
  std::vector<std::string_view> names;
  for (const TaskEntry& entry : all_tasks()) names.push_back(entry.info.name);
  const std::vector<std::string_view> expected = {"copy",     "reverse",   "sort", "add",
                                                  "date",     "translate", "text", "balance",
                                                  "forecast", "shapes",    "pairs"};
  EXPECT_EQ(names, expected);
  EXPECT_EQ(find_task("nonsense"), nullptr);
  EXPECT_EQ(find_task(""), nullptr);
  for (const auto& task : default_tasks()) {
    EXPECT_EQ(find_task(task->info().name)->info.kind, task->info().kind);
    EXPECT_FALSE(task->info().summary.empty());
  }
}

TEST(Tasks, HaveDefaultsWithinTheirRanges) {
  for (const TaskEntry& entry : all_tasks()) {
    const auto recipe = entry.recipe();
    for (const Property& property : recipe->properties()) {
      EXPECT_EQ(set_property(property, property.text()), PropertyProblem::kNone)
          << entry.info.name << " " << property.name;
    }
  }
}

// The seeds differ on the two sides and between thousands: membership is not a matter of luck.
TEST(Tasks, NeverTrainOnWhatIsHeldOut) {
  constexpr std::uint64_t kSamples = 100000;
  for (const auto& task : default_tasks()) {
    Example example;
    std::vector<std::uint64_t> held_out;
    for (std::uint64_t i = 0; i < kSamples; ++i) {
      task->sample(Split::held_out, 100 + i / 1000, i, example);
      held_out.push_back(source_fingerprint(*task, example));
    }
    std::sort(held_out.begin(), held_out.end());
    int leaked = 0;
    std::set<std::uint64_t> trained;
    for (std::uint64_t i = 0; i < kSamples; ++i) {
      task->sample(Split::train, i / 1000, i, example);
      const std::uint64_t source = source_fingerprint(*task, example);
      if (trained.size() < 100) trained.insert(source);
      leaked += std::binary_search(held_out.begin(), held_out.end(), source);
    }
    EXPECT_EQ(leaked, 0) << task->info().name;
    // The test can see: sources do come again and again where there are few.
    EXPECT_GT(trained.size(), 20u) << task->info().name;
  }
}

// GCC, Clang and WebAssembly must agree on every bit.
TEST(Tasks, MakeTheSameExamplesInEveryBuild) {
  struct Expected {
    std::string_view task;
    std::uint64_t hash;
  };
  const Expected expected[] = {
      {"copy", 0x7ce55b01744579c0},     {"reverse", 0x964d96f87cbdc44e},
      {"sort", 0x89a0523832f89ebf},     {"add", 0xcceccd3923d22c76},
      {"date", 0xaa0f6e6e28d7c613},     {"translate", 0x3c6ecf35d070572b},
      {"text", 0x025eece0903c5288},     {"balance", 0xd67659e9cdf71286},
      {"forecast", 0xec3ba02bb02dfcec}, {"shapes", 0xe3a39be0257fbdc5},
      {"pairs", 0x69a0e2d69a3412ba},
  };
  const auto tasks = default_tasks();
  ASSERT_EQ(tasks.size(), std::size(expected));
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    Hash hash;
    Example example;
    for (Split split : {Split::train, Split::held_out}) {
      for (std::uint64_t i = 0; i < 1000; ++i) {
        tasks[t]->sample(split, 7, i, example);
        add_example(example, hash);
      }
    }
    EXPECT_EQ(tasks[t]->info().name, expected[t].task);
    EXPECT_EQ(hash.value(), expected[t].hash)
        << expected[t].task << std::hex << " 0x" << hash.value();
  }
}

TEST(Tasks, GiveAnyExampleByItsAddress) {
  for (const auto& task : default_tasks()) {
    Example reused;
    for (std::uint64_t i : {9u, 2u, 9u, 0u}) {
      task->sample(Split::train, 3, i, reused);
      const Example fresh = sampled(*task, Split::train, 3, i);
      EXPECT_EQ(reused.source, fresh.source) << task->info().name;
      EXPECT_EQ(reused.target, fresh.target) << task->info().name;
      EXPECT_EQ(reused.patches, fresh.patches) << task->info().name;
      EXPECT_EQ(reused.values, fresh.values) << task->info().name;
      EXPECT_EQ(reused.label, fresh.label) << task->info().name;
      EXPECT_EQ(reused.links, fresh.links) << task->info().name;
    }
    // Seeds, indices and sides all matter.
    const auto fingerprint = [&](Split split, std::uint64_t seed, std::uint64_t first) {
      Hash hash;
      for (std::uint64_t i = first; i < first + 8; ++i) {
        add_example(sampled(*task, split, seed, i), hash);
      }
      return hash.value();
    };
    const std::set<std::uint64_t> different = {
        fingerprint(Split::train, 1, 0), fingerprint(Split::train, 2, 0),
        fingerprint(Split::train, 1, 8), fingerprint(Split::held_out, 1, 0)};
    EXPECT_EQ(different.size(), 4u) << task->info().name;
  }
}

void expect_tokens_fit(const Task& task, const Example& example) {
  const TaskSizes& sizes = task.sizes();
  EXPECT_LE(static_cast<int>(example.source.size()), sizes.source);
  EXPECT_LE(static_cast<int>(example.target.size()), sizes.target);
  for (int id : example.source) {
    EXPECT_TRUE(id >= task.source_vocabulary().marks() && id < task.source_vocabulary().size());
  }
  for (int id : example.target) {
    EXPECT_TRUE(id >= task.target_vocabulary().marks() && id < task.target_vocabulary().size());
  }
}

void expect_links_fit(const Example& example) {
  for (std::size_t i = 0; i < example.links.size(); ++i) {
    const Link& link = example.links[i];
    EXPECT_TRUE(link.output >= 0 && link.output < static_cast<int>(example.target.size()));
    EXPECT_TRUE(link.source >= 0 && link.source < static_cast<int>(example.source.size()));
    if (i == 0) continue;
    const Link& before = example.links[i - 1];
    EXPECT_TRUE(before.output < link.output ||
                (before.output == link.output && before.source < link.source));
  }
}

TEST(Tasks, KeepToTheirSizes) {
  for (const auto& task : default_tasks()) {
    SCOPED_TRACE(task->info().name);
    const TaskSizes& sizes = task->sizes();
    const TaskKind kind = task->info().kind;
    Example example;
    for (Split split : {Split::train, Split::held_out}) {
      for (std::uint64_t i = 0; i < 1000; ++i) {
        task->sample(split, 5, i, example);
        expect_links_fit(example);
        if (kind == TaskKind::encoder_decoder || kind == TaskKind::token_classifier) {
          EXPECT_FALSE(example.source.empty());
          expect_tokens_fit(*task, example);
        } else if (kind == TaskKind::decoder_only) {
          EXPECT_EQ(static_cast<int>(example.target.size()), sizes.target);
          expect_tokens_fit(*task, example);
        } else {
          EXPECT_EQ(static_cast<int>(example.patches.size()), sizes.source * sizes.patch_size);
        }
        if (kind == TaskKind::token_classifier || kind == TaskKind::patch_classifier) {
          EXPECT_TRUE(example.label >= 0 && example.label < sizes.outputs);
          EXPECT_EQ(static_cast<int>(task->classes().size()), sizes.outputs);
        }
        if (kind == TaskKind::patch_regressor) {
          EXPECT_EQ(static_cast<int>(example.values.size()), sizes.outputs);
        }
      }
    }
  }
}

TEST(Tasks, ReadWhatTheyWrite) {
  for (const auto& task : default_tasks()) {
    SCOPED_TRACE(task->info().name);
    for (std::uint64_t i = 0; i < 200; ++i) {
      const Example example = sampled(*task, Split::train, 11, i);
      const Example read = parsed(*task, task->source_text(example));
      EXPECT_EQ(read.source, example.source);
      if (task->info().kind == TaskKind::encoder_decoder && !read.target.empty()) {
        EXPECT_EQ(read.target, example.target);
        EXPECT_EQ(read.links, example.links);
      }
      EXPECT_TRUE(read.label < 0 || read.label == example.label);
    }
  }
}

TEST(Tasks, RefuseWhatTheyCannotRead) {
  for (const auto& task : default_tasks()) {
    for (std::string_view text : {"", "   "}) {
      // Prose may begin with a space.
      if (task->info().name == "text" && !text.empty()) continue;
      const Parsed nothing = task->parse(text);
      ASSERT_FALSE(nothing.example.ok()) << task->info().name;
      EXPECT_TRUE(nothing.example.error().message.ends_with('.')) << task->info().name;
    }
    // Where the vocabulary is a user's, what is not in it is unknown, but no reason to stop.
    if (task->info().material != Material::none && task->tokenizers().reads) continue;
    for (std::string_view text : {"\xff\xfe", "☃", "<pad>", "<unk>"}) {
      EXPECT_FALSE(task->parse(text).example.ok()) << task->info().name << " " << text;
    }
    EXPECT_FALSE(task->parse(std::string(5000, '1')).example.ok()) << task->info().name;
  }
}

TEST(Tasks, ScoreTheRightAnswerBest) {
  const auto tasks = default_tasks();
  for (const auto& task : tasks) {
    const Example right = sampled(*task, Split::held_out, 1, 1);
    const double best = task->score(answer_of(right), answer_of(right));
    EXPECT_EQ(best, task->metric().more_is_better ? 1 : 0) << task->info().name;
    Example wrong = right;
    if (!wrong.target.empty()) ++wrong.target.back();
    if (wrong.label >= 0) wrong.label = 1 - std::min(wrong.label, 1);
    if (!wrong.values.empty()) wrong.values.front() += 1;
    const double worse = task->score(answer_of(right), answer_of(wrong));
    EXPECT_TRUE(task->metric().more_is_better ? worse < best : worse > best) << task->info().name;
  }
}

}  // namespace
}  // namespace tp::test
