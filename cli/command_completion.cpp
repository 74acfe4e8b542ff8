#include <cstdio>
#include <string>

#include "cli/command.h"
#include "cli/reference.h"
#include "engine/core/shown_name.h"

namespace tp::cli {
namespace {

constexpr Flag kFlags[] = {{"shell", "SHELL", "bash, zsh or fish"},
                           {"man", "", "the manual page instead, for man"}};

int run(const Arguments& arguments) {
  if (arguments.has("man")) {
    std::fputs(man_page().c_str(), stdout);
    return kFine;
  }
  const Result<std::string> shell = arguments.required("shell");
  if (!shell) return wrong_usage(shell.error());
  const std::string script = completion_script(shell.value());
  if (script.empty()) {
    return wrong_usage({"there is no completion for " + shown_name(shell.value()) +
                        ": choose bash, zsh or fish."});
  }
  std::fputs(script.c_str(), stdout);
  return kFine;
}

}  // namespace

const Command kCompletionCommand = {"completion",
                                    "prints what shells complete by, or the manual page",
                                    "source <(tp completion --shell bash)",
                                    kFlags,
                                    Settings::none,
                                    run};

}  // namespace tp::cli
