#include "engine/tasks/registry.h"

namespace tp {

// A task is one file, which defines `TaskEntry name_task()`, and one line here.
#define TP_TASKS(TASK) \
  TASK(copy)           \
  TASK(reverse)        \
  TASK(sort)           \
  TASK(add)            \
  TASK(date)           \
  TASK(translate)      \
  TASK(text)           \
  TASK(balance)        \
  TASK(forecast)       \
  TASK(shapes)         \
  TASK(pairs)

#define TP_DECLARE(name) TaskEntry name##_task();
TP_TASKS(TP_DECLARE)
#undef TP_DECLARE

std::span<const TaskEntry> all_tasks() {
#define TP_ENTRY(name) name##_task(),
  static const TaskEntry entries[] = {TP_TASKS(TP_ENTRY)};
#undef TP_ENTRY
  return entries;
}

const TaskEntry* find_task(std::string_view name) {
  for (const TaskEntry& entry : all_tasks()) {
    if (entry.info.name == name) return &entry;
  }
  return nullptr;
}

}  // namespace tp
