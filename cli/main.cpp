#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/run_settings.h"
#include "engine/core/nearest.h"
#include "engine/core/shown_name.h"

namespace tp::cli {
namespace {

constexpr const Command* kCommands[] = {&kTasksCommand,  &kTrainCommand,     &kEvalCommand,
                                        &kDecodeCommand, &kTraceCommand,     &kExplainCommand,
                                        &kLensCommand,   &kExportCommand,    &kTokenizeCommand,
                                        &kBenchCommand,  &kCompletionCommand};

const Command* find_command(std::string_view name) {
  for (const Command* command : kCommands) {
    if (command->name == name) return command;
  }
  return nullptr;
}

bool asks_for_help(std::string_view word) {
  return word == "help" || word == "--help" || word == "-h";
}

std::string_view task_among(std::span<const std::string_view> words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "--task") return words[i + 1];
  }
  return {};
}

int run(std::span<const std::string_view> words) {
  if (!words.empty() && (words.front() == "--version" || words.front() == "version")) {
    std::printf("tp %s\n", TP_VERSION);
    return kFine;
  }
  const bool help = words.empty() || asks_for_help(words.front());
  if (help && words.size() < 2) {
    print_help();
    return kFine;
  }
  const std::string_view name = help ? words[1] : words[0];
  const std::span<const std::string_view> rest = words.subspan(help ? 2 : 1);
  const Command* command = find_command(name);
  if (command == nullptr) {
    std::string names;
    std::vector<std::string_view> list;
    for (const Command* known : kCommands) {
      names += (names.empty() ? "" : ", ") + std::string(known->name);
      list.push_back(known->name);
    }
    if (const std::string near(nearest_name(name, list)); !near.empty()) {
      return wrong_usage(
          {"there is no command " + shown_name(name) + ": the nearest is tp " + near + "."});
    }
    return wrong_usage({"there is no command " + shown_name(name) + ": choose one of " + names +
                        ", or ask tp help."});
  }
  bool wants_help = help;
  for (std::string_view word : rest) wants_help |= word == "--help" || word == "-h";
  if (wants_help) {
    print_help(*command, task_among(rest));
    return kFine;
  }
  const Result<Arguments> arguments =
      Arguments::parse(rest, command->flags, command->settings != Settings::none);
  if (!arguments) return wrong_usage(arguments.error());
  if (Status status = check_names(*command, arguments.value()); !status) {
    return wrong_usage(status.error());
  }
  return command->run(arguments.value());
}

// Whatever was quoted in it, a sentence can be read, and does nothing to the terminal.
std::string harmless(std::string_view message) {
  constexpr std::size_t kBegin = 1500, kEnd = 300;  // longer than any sentence of ours
  std::string text(message.substr(0, kBegin));
  if (message.size() > kBegin + kEnd) {
    (text += " ... ") += message.substr(message.size() - kEnd);
  } else if (message.size() > kBegin) {
    text += message.substr(kBegin);
  }
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return text;
}

// The last words of a program that gets no memory, and can therefore not put them together.
void end_without_memory() {
  constexpr std::string_view kSentence =
      "tp: there is not enough memory: choose a smaller model, batch or file, or close other "
      "programs.\n";
  std::fwrite(kSentence.data(), 1, kSentence.size(), stderr);  // which is not buffered
  std::_Exit(kFailed);
}

}  // namespace

std::span<const Command* const> all_commands() { return kCommands; }

void prepare_for_lack_of_memory() { std::set_new_handler(end_without_memory); }

int report(const Error& error, int code) {
  std::fflush(stdout);
  const bool stops = error.message.ends_with('.');
  std::fprintf(stderr, "tp: %s%s\n", harmless(error.message).c_str(), stops ? "" : ".");
  return code;
}

}  // namespace tp::cli

int main(int argc, char** argv) {
  // A file that may not grow any further is an error like a full disk, not a reason to be killed.
  std::signal(SIGXFSZ, SIG_IGN);
  tp::cli::prepare_for_lack_of_memory();
  const std::vector<std::string_view> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  const int code = tp::cli::run(words);
  if (std::fflush(stdout) != 0 && code == tp::cli::kFine) {
    return tp::cli::failed({"cannot write to standard output: check the free space."});
  }
  return code;
}
