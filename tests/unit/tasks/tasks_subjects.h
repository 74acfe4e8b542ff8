#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/tasks/registry.h"

namespace tp::test {

struct Setting {
  std::string_view name, value;
};

inline TaskResult try_task(std::string_view name, const std::vector<Setting>& settings = {},
                           std::string_view material = "") {
  const TaskEntry* entry = find_task(name);
  if (entry == nullptr) return Error{"no such task"};
  const std::unique_ptr<TaskRecipe> recipe = entry->recipe();
  const Properties properties = recipe->properties();
  for (const Setting& setting : settings) {
    const Property* property = find_property(properties, setting.name);
    if (property == nullptr || set_property(*property, setting.value) != PropertyProblem::kNone) {
      return Error{"cannot set " + std::string(setting.name)};
    }
  }
  return make_task(name, *recipe, material);
}

inline std::unique_ptr<const Task> make_task(std::string_view name,
                                             const std::vector<Setting>& settings = {},
                                             std::string_view material = "") {
  TaskResult made = try_task(name, settings, material);
  EXPECT_TRUE(made.ok()) << name << ": " << (made.ok() ? "" : made.error().message);
  return std::move(made.value());
}

// What was wrong; "" when nothing was.
inline std::string complaint(const TaskResult& made) { return made ? "" : made.error().message; }

inline Example sampled(const Task& task, Split split, std::uint64_t seed, std::uint64_t index) {
  Example example;
  task.sample(split, seed, index, example);
  return example;
}

inline Example parsed(const Task& task, std::string_view text) {
  Parsed result = task.parse(text);
  EXPECT_TRUE(result.example.ok())
      << text << ": " << (result.example.ok() ? "" : result.example.error().message);
  return result.example.ok() ? result.example.value() : Example{};
}

// Lines for `pairs`: a number and its double, in words of one digit each.
std::string pairs_material();

// Every task with its default parameters, and a user's lines where it cannot do without.
std::vector<std::unique_ptr<const Task>> default_tasks();

}  // namespace tp::test
