#pragma once

#include <functional>
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

// What a task is made of beside its parameters. A task does not look at what it has no use for.
struct TaskData {
  std::string_view material = {};  // the user's text; empty: none
  TaskTokenizers tokenizers = {};  // instead of those that would be made of the text
  // Told while a long text is read: what is being done, and how much of it is done (0 to 1).
  std::function<void(std::string_view stage, double share)> progress = {};
};

// Says what to change where parameters contradict each other or the material cannot be used.
using TaskMaker = TaskResult (*)(const TaskRecipe& recipe, const TaskData& data);

// A recipe whose task is made of more than the text takes all of the data.
template <class Recipe>
TaskResult make_with(const TaskRecipe& recipe, const TaskData& data) {
  const Recipe& own = static_cast<const Recipe&>(recipe);
  if constexpr (requires { own.make(data); }) {
    return own.make(data);
  } else {
    return own.make(data.material);
  }
}

// The task that a recipe of this name describes; the name must exist.
TaskResult make_task(std::string_view name, const TaskRecipe& recipe, const TaskData& data);
inline TaskResult make_task(std::string_view name, const TaskRecipe& recipe,
                            std::string_view material = {}) {
  return make_task(name, recipe, TaskData{.material = material});
}

// All tasks, in the order in which they are shown.
std::span<const TaskEntry> all_tasks();

// Null when there is none.
const TaskEntry* find_task(std::string_view name);

}  // namespace tp
