#pragma once

#include "cli/arguments.h"
#include "cli/model_pass.h"
#include "cli/run_folder.h"

namespace tp::cli {

// Of every command that looks at one pass of a run.
inline constexpr Flag kPassFlags[] = {
    {"model", "DIR", "the folder of a run"},
    {"best", "", "the weights of its best exam, where it was trained with --best"},
    {"input", "TEXT", "what to read"},
    {"target", "TEXT",
     "what the decoder reads behind the begin mark; else the right answer where\n"
     "                                     the task knows it, else the model's own"},
};

struct TrainedPass {
  TrainedRun trained;
  bool has_answer = false;  // to measure it against: then there is a backward pass, too
  ModelPass pass;
};
// A forward pass of the run in `folder` over what was typed, as these flags say.
Result<TrainedPass> trained_pass(const Arguments& arguments, const std::string& folder,
                                 std::string_view input);

}  // namespace tp::cli
