#pragma once

#include <string>

#include "cli/arguments.h"
#include "cli/run_folder.h"

namespace tp::cli {

// The flags on top of a saved run that is to go on. It may be told to go on for longer, where the
// steps behind it would have been the same; the error names the setting that forbids it and says
// how to start a new run from its weights.
Status apply_to_resumed(const Arguments& arguments, const std::string& folder, SavedRun& saved);

}  // namespace tp::cli
