// Apart from the registry: a user interface needs the parameters of all tasks, and the code of
// none.

#include "engine/core/check.h"
#include "engine/tasks/registry.h"

namespace tp {

#define TP_TASK(name) TaskMaker name##_maker();
#include "engine/tasks/task_list.inc"
#undef TP_TASK

TaskResult make_task(std::string_view name, const TaskRecipe& recipe, const TaskData& data) {
#define TP_TASK(task) \
  if (name == #task) return task##_maker()(recipe, data);
#include "engine/tasks/task_list.inc"
#undef TP_TASK
  TP_CHECK(false, "a task that does not exist");
  return Error{};
}

}  // namespace tp
