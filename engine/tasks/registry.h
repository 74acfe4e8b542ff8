#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/tasks/task.h"

namespace tp {

struct TaskEntry {
  TaskInfo info;
  std::unique_ptr<TaskRecipe> (*recipe)();  // with default parameters
  std::string (*sample)() = nullptr;        // a material to try the task with, where it needs one
};

template <class Recipe>
std::unique_ptr<TaskRecipe> make_recipe() {
  return std::make_unique<Recipe>();
}

// Says what to change where parameters contradict each other or the material cannot be used.
// `material` is the user's text; empty means none. Tasks that take none do not look at it.
using TaskMaker = TaskResult (*)(const TaskRecipe& recipe, std::string_view material);

template <class Recipe>
TaskResult make_with(const TaskRecipe& recipe, std::string_view material) {
  return static_cast<const Recipe&>(recipe).make(material);
}

// The task that a recipe of this name describes; the name must exist.
TaskResult make_task(std::string_view name, const TaskRecipe& recipe,
                     std::string_view material = {});

// All tasks, in the order in which they are shown.
std::span<const TaskEntry> all_tasks();

// Null when there is none.
const TaskEntry* find_task(std::string_view name);

}  // namespace tp
