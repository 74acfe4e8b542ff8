#include <cstdio>
#include <string>

#include "cli/command.h"
#include "cli/run_settings.h"

namespace tp::cli {
namespace {

constexpr Flag kFlags[] = {
    {"task", "T", "show examples of this one"},
    {"show", "N", "how many (10)"},
    {"seed", "S", "of the examples (1)"},
    {"heldout", "", "those to be examined in, instead of those to train on"},
    {"data", "FILE", "your own text, for tasks that take one"},
};

int list_tasks() {
  for (const TaskEntry& entry : all_tasks()) {
    std::printf("%-10s %s\n", std::string(entry.info.name).c_str(),
                std::string(entry.info.summary).c_str());
  }
  return kFine;
}

// What a person would call the answer: what follows, where the task is to go on.
std::string answer_of_example(const Task& task, const Example& example) {
  if (task.info().kind != TaskKind::decoder_only) return task.answer_text(answer_of(example));
  return task.answer_text({.tokens = std::span(example.target).last(1)});
}

// Tab-separated lines have no tabs and line ends of their own.
std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c == '\n')
      line += "\\n";
    else if (c == '\t')
      line += "\\t";
    else
      line += c;
  }
  return line;
}

int run(const Arguments& arguments) {
  int show = 10, seed = 1;
  for (const Property& property :
       {integer("show", show, 0, 10'000'000), integer("seed", seed, 0, 2'000'000'000)}) {
    if (Status status = arguments.read(property); !status) return wrong_usage(status.error());
  }
  if (!arguments.has("task")) {
    for (const std::string_view flag : {"show", "seed", "heldout", "data"}) {
      if (arguments.has(flag) || !arguments.settings().empty()) {
        return wrong_usage({"examples are of one task: give it with --task."});
      }
    }
    return list_tasks();
  }
  Result<RunConfig> made = default_run(*arguments.find("task"));
  if (!made) return wrong_usage(made.error());
  if (Status status = apply_task_settings(arguments, made.value()); !status) {
    return wrong_usage(status.error());
  }
  const Result<std::string> material = material_of(arguments, made.value());
  if (!material) return failed(material.error());
  const Result<std::shared_ptr<const Task>> task = task_of(made.value(), material.value());
  if (!task) return failed(task.error());
  print_notes(*task.value(), stderr);
  const Split split = arguments.has("heldout") ? Split::held_out : Split::train;
  Example example;
  for (int i = 0; i < show; ++i) {
    task.value()->sample(split, static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(i),
                         example);
    std::printf("%s\t%s\n", on_one_line(task.value()->source_text(example)).c_str(),
                on_one_line(answer_of_example(*task.value(), example)).c_str());
  }
  return kFine;
}

}  // namespace

const Command kTasksCommand = {
    "tasks",
    "lists the tasks there are, or examples of one as tab-separated lines",
    "tp tasks --task reverse --show 5 --seed 1 --heldout",
    kFlags,
    Settings::task,
    run};

}  // namespace tp::cli
