#include "engine/tasks/registry.h"

namespace tp {

#define TP_TASK(name) TaskEntry name##_task();
#include "engine/tasks/task_list.inc"
#undef TP_TASK

std::span<const TaskEntry> all_tasks() {
  static const TaskEntry entries[] = {
#define TP_TASK(name) name##_task(),
#include "engine/tasks/task_list.inc"
#undef TP_TASK
  };
  return entries;
}

const TaskEntry* find_task(std::string_view name) {
  for (const TaskEntry& entry : all_tasks()) {
    if (entry.info.name == name) return &entry;
  }
  return nullptr;
}

}  // namespace tp
