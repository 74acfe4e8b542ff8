#include "cli/resume.h"

#include "cli/run_settings.h"
#include "engine/model/config_properties.h"

namespace tp::cli {
namespace {

struct Difference {
  std::string flag, saved, asked;
};

// The first setting in which two runs of one task differ.
Difference difference(const RunConfig& saved, const RunConfig& asked) {
  const auto all = [](const RunConfig& run) {
    ConstProperties list = std::as_const(*run.task_parameters).properties();
    for (const ConstProperties& more : {properties_of(run.model), properties_of(run.train)}) {
      list.insert(list.end(), more.begin(), more.end());
    }
    return list;
  };
  const ConstProperties there = all(saved), here = all(asked);
  for (std::size_t i = 0; i < there.size(); ++i) {
    std::string a = there[i].text(), b = here[i].text();
    if (a != b) return {"--" + dashed(there[i].name), std::move(a), std::move(b)};
  }
  return {};
}

}  // namespace

Status apply_to_resumed(const Arguments& arguments, const std::string& folder, SavedRun& saved) {
  Result<RunConfig> asked = run_from_json(json_of(saved.config));
  if (!asked) return asked.error();
  if (Status status = apply_arguments(arguments, asked.value()); !status) return status;
  if (continues(json_of(saved.config), json_of(asked.value()))) {
    saved.config = std::move(asked.value());
    return Done{};
  }
  const auto [flag, before, now] = difference(saved.config, asked.value());
  const bool looks_ahead = flag == "--steps";
  const std::string why = looks_ahead
                              ? "its --schedule, a cosine, ends at step " + before + ", and " +
                                    now + " steps would have been other steps from the first on"
                              : flag + " is " + before + " there and " + now + " here";
  return Error{"the run in '" + folder + "' has another configuration: " + why +
               "; resume without " + flag + ", or start anew from its weights: tp train --config " +
               folder + "/config.json --from " + folder + " " + flag + " " + now + " --out NEW."};
}

}  // namespace tp::cli
