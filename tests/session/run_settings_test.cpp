#include "engine/session/run_settings.h"

#include <gtest/gtest.h>

#include <optional>

#include "engine/io/property_json.h"
#include "tests/subjects/small_run.h"

namespace tp {
namespace {

// What three steps make of the settings, or nothing where they cannot be run.
std::optional<std::uint64_t> trained(const RunSettings& settings) {
  Result<RunConfig> run = run_from_json(settings.json());
  if (!run) return std::nullopt;
  TaskResult task = make_task(run.value());
  if (!task) return std::nullopt;
  auto trainer = Trainer::create(std::shared_ptr<const Task>(std::move(task.value())),
                                 run.value().model, run.value().train);
  if (!trainer) return std::nullopt;
  for (int i = 0; i < 3; ++i) {
    if (!trainer.value()->step().ok()) return std::nullopt;
  }
  return trainer.value()->weights_hash();
}

// Every other value of a choice or switch; of a number, one that is near.
std::vector<std::string> others(const Property& property) {
  std::vector<std::string> values;
  if (property.kind == Property::Kind::kToggle) {
    values.push_back(property.number() != 0 ? "false" : "true");
  } else if (property.kind == Property::Kind::kChoice) {
    for (const std::string_view choice : property.choices) {
      if (choice != property.text()) values.emplace_back(choice);
    }
  } else if (property.kind == Property::Kind::kInteger) {
    for (const int by : {-1, 1, 2}) {
      const double value = property.number() + by * property.step;
      if (value >= property.minimum && value <= property.maximum) {
        values.push_back(std::to_string(static_cast<int>(value)));
      }
    }
  } else if (property.kind == Property::Kind::kReal) {
    for (const char* value : {"0.05", "0.5", "50"}) values.emplace_back(value);
  }
  return values;
}

bool changes_something(const RunSettings& settings, std::string_view name) {
  const auto before = trained(settings);
  RunSettings other = settings;
  const Properties table = other.all_properties();
  const Property& property = *find_property(table, name);
  for (const std::string& value : others(property)) {
    if (set_property(property, value) != PropertyProblem::kNone) continue;
    const auto after = trained(other);
    if (after && after != before) return true;
  }
  return false;
}

TEST(RunSettings, WhatDoesNotMatterChangesNothingAndWhatMattersOfAModelDoes) {
  using Changes = std::vector<std::pair<const char*, const char*>>;
  for (const char* task : {"reverse", "text", "balance", "shapes", "forecast"}) {
    for (const Changes& changes :
         {Changes{}, Changes{{"sparsity", "local"}, {"reach", "2"}, {"positions", "learned"}},
          Changes{{"optimiser", "sgd"}, {"schedule", "constant"}, {"positions", "none"}}}) {
      if (!changes.empty() && std::string_view(task) != "reverse") continue;
      RunConfig run = test::small_run(task);
      run.model.reach = 2;
      RunSettings settings = std::move(RunSettings::from_json(json_of(run)).value());
      for (const auto& [name, value] : changes) {
        ASSERT_TRUE(set_by_name(settings.all_properties(), name, value).ok()) << name;
      }
      ASSERT_TRUE(trained(settings).has_value()) << task;
      std::vector<std::string> names;
      for (const Property& property : settings.all_properties()) names.emplace_back(property.name);
      for (const std::string& name : names) {
        if (!settings.matters(name)) {
          EXPECT_FALSE(changes_something(settings, name)) << task << ": " << name;
        }
      }
      for (const Property& property : settings.model_properties()) {
        if (settings.matters(property.name)) {
          EXPECT_TRUE(changes_something(settings, property.name)) << task << ": " << property.name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tp
