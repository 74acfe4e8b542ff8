#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "engine/tasks/task.h"

namespace tp {

struct TaskEntry {
  TaskInfo info;
  std::unique_ptr<TaskRecipe> (*recipe)();  // with default parameters
};

template <class Recipe>
std::unique_ptr<TaskRecipe> make_recipe() {
  return std::make_unique<Recipe>();
}

// All tasks, in the order in which they are shown.
std::span<const TaskEntry> all_tasks();

// Null when there is none.
const TaskEntry* find_task(std::string_view name);

}  // namespace tp
