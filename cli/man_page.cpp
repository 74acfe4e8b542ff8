#include "cli/reference.h"

namespace tp::cli {
namespace {

// Text as roff takes it literally.
std::string roff(std::string_view text) {
  std::string escaped;
  if (text.starts_with('.') || text.starts_with('\'')) escaped = "\\&";
  for (const char c : text) {
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace

std::string man_page() {
  std::string page =
      ".TH TP 1\n.SH NAME\ntp \\- trains small Transformers on toy tasks, and shows what is inside "
      "them\n.SH SYNOPSIS\n.B tp\n.I COMMAND\n[\\-\\-flag VALUE ...]\n.SH COMMANDS\n";
  for (const Command* command : all_commands()) {
    page += ".SS " + roff(command->name) + "\n" + roff(command->summary) + "\n.PP\n.B " +
            roff(command->example) + "\n";
    for (const ReferenceLine& line : reference_of(*command)) {
      if (!line.heading.empty()) page += ".PP\n" + roff(line.heading) + "\n";
      page += ".TP\n\\fB\\-\\-" + roff(line.name) + "\\fR " + roff(line.value) + "\n" +
              roff(line.meaning) + "\n";
    }
  }
  return page +
         ".SH EXIT STATUS\n0 when all went well, 1 when something failed, 2 when it was called "
         "wrongly; 128 and the number of the signal when it was told to stop.\n";
}

}  // namespace tp::cli
