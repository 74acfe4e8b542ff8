#include <cstdio>
#include <filesystem>
#include <string>

#include "cli/command.h"
#include "cli/export_pytorch.h"
#include "cli/run_folder.h"
#include "engine/core/shown_name.h"

namespace tp::cli {
namespace {

constexpr Flag kFlags[] = {
    {"model", "DIR", "the folder of a run"},
    {"best", "", "the weights of its best exam, where it was trained with --best"},
    {"to", "FORMAT", "pytorch"},
    {"out", "OUT", "a new or empty folder"},
};

int run(const Arguments& arguments) {
  for (const std::string_view name : {"model", "to", "out"}) {
    if (const Result<std::string> value = arguments.required(name); !value) {
      return wrong_usage(value.error());
    }
  }
  if (*arguments.find("to") != "pytorch") {
    return wrong_usage(
        {"cannot export to " + shown_name(*arguments.find("to")) + ": choose pytorch."});
  }
  const std::string out = *arguments.find("out");
  const Result<TrainedRun> trained =
      read_trained_run(RunFolder(*arguments.find("model")), arguments.has("best"));
  if (!trained) return failed(trained.error());
  std::error_code error;
  if (std::filesystem::exists(out, error) && !std::filesystem::is_empty(out, error)) {
    return failed({"'" + out + "' is not empty: choose a new folder."});
  }
  if (Status status = export_pytorch(trained.value(), out); !status) return failed(status.error());
  std::printf("written to %s: python3 %s/model.py compares the logits\n", out.c_str(), out.c_str());
  return kFine;
}

}  // namespace

const Command kExportCommand = {"export",
                                "writes weights, configuration and a Python file for PyTorch",
                                "tp export --model runs/reverse --to pytorch --out exported",
                                kFlags,
                                Settings::none,
                                run};

}  // namespace tp::cli
