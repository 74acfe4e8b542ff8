#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"

// Everything that can be given to a command, as help, completion scripts and the man page list it.

namespace tp::cli {

struct ReferenceLine {
  std::string heading;  // that stands before it; empty: it goes on with the one before
  std::string name;     // of the flag, without the dashes
  std::string value;    // what may be given, and what it is otherwise; empty: a switch
  std::string meaning;
  std::vector<std::string> choices;  // where there are few
};

// Flags, then settings: of `task` alone, or of every task there is.
std::vector<ReferenceLine> reference_of(const Command& command, std::string_view task = {});

std::string man_page();
// For "bash", "zsh" or "fish"; empty for another.
std::string completion_script(std::string_view shell);

}  // namespace tp::cli
