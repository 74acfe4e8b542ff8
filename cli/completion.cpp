#include "cli/reference.h"

// Each script has its table written out, so that a key press starts no program.

namespace tp::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) (text += text.empty() ? "" : " ") += word;
  return text;
}

std::string command_names() {
  std::vector<std::string> names = {"help"};
  for (const Command* command : all_commands()) names.emplace_back(command->name);
  return joined(names);
}

// Between single quotes of a shell; `marks` get a backslash.
std::string quoted(std::string_view text, std::string_view marks = {}) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
      continue;
    }
    if (marks.find(c) != marks.npos) result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result + "'";
}

std::string bash_script() {
  std::string flags, values;
  for (const Command* command : all_commands()) {
    std::string names;
    for (const ReferenceLine& line : reference_of(*command)) {
      names += " --" + line.name;
      if (line.choices.empty()) continue;
      values += "    '" + std::string(command->name) + " --" + line.name + "') words='" +
                joined(line.choices) + "' ;;\n";
    }
    flags += "      " + std::string(command->name) + ") words='" + names + "' ;;\n";
  }
  return "# tp completion --shell bash > /etc/bash_completion.d/tp\n"
         "_tp() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} words=\n"
         "  case \"${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD-1]}\" in\n" +
         values +
         "  esac\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    words='" +
         command_names() +
         "'\n  elif [ -z \"$words\" ] && [ \"${current#-}\" != \"$current\" ]; then\n"
         "    case \"${COMP_WORDS[1]}\" in\n" +
         flags +
         "    esac\n  fi\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "}\n"
         "complete -o default -F _tp tp\n";
}

std::string zsh_script() {
  std::string commands, cases;
  for (const Command* command : all_commands()) {
    commands +=
        "    " + quoted(std::string(command->name) + ":" + std::string(command->summary)) + "\n";
    cases += "    " + std::string(command->name) + ") _arguments";
    for (const ReferenceLine& line : reference_of(*command)) {
      std::string option = "--" + line.name + "[";
      for (const char c : line.meaning) {
        if (c == '[' || c == ']' || c == '\\') option += '\\';
        option += c == '\n' ? ' ' : c;
      }
      option += ']';
      if (!line.value.empty()) {
        option += ":value:" + (line.choices.empty() ? "_files" : "(" + joined(line.choices) + ")");
      }
      cases += " \\\n      " + quoted(option);
    }
    cases += " ;;\n";
  }
  return "#compdef tp\n# tp completion --shell zsh > a folder of $fpath, as _tp\n"
         "_tp() {\n  local -a commands=(\n" +
         commands +
         "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
         "  shift words\n  (( CURRENT-- ))\n  case $words[1] in\n" +
         cases + "  esac\n}\n_tp \"$@\"\n";
}

std::string fish_script() {
  std::string script = "# tp completion --shell fish > ~/.config/fish/completions/tp.fish\n";
  for (const Command* command : all_commands()) {
    const std::string name(command->name);
    script += "complete -c tp -n __fish_use_subcommand -f -a " + name + " -d " +
              quoted(command->summary, "\\") + "\n";
    for (const ReferenceLine& line : reference_of(*command)) {
      script += "complete -c tp -n '__fish_seen_subcommand_from " + name + "' -l " + line.name;
      if (!line.choices.empty()) {
        script += " -x -a " + quoted(joined(line.choices));
      } else if (!line.value.empty()) {
        script += " -r";
      }
      script += " -d " + quoted(line.meaning, "\\") + "\n";
    }
  }
  return script;
}

}  // namespace

std::string completion_script(std::string_view shell) {
  if (shell == "bash") return bash_script();
  if (shell == "zsh") return zsh_script();
  if (shell == "fish") return fish_script();
  return {};
}

}  // namespace tp::cli
