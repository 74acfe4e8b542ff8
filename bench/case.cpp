#include "bench/case.h"

#include <algorithm>

#include "engine/core/json.h"

namespace tp::bench {
namespace {

constexpr double kLeastTimed = 5;  // milliseconds: a browser's clock may tick in tenths of one

const std::vector<Case>& all_cases() {
  static const std::vector<Case> cases = [] {
    std::vector<Case> made;
    add_kernel_cases(made);
    add_model_cases(made);
    return made;
  }();
  return cases;
}

}  // namespace

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const Case& entry : all_cases()) names.push_back(entry.name);
  return names;
}

Result<Work> make_work(std::string_view name, Arithmetic arithmetic) {
  if (arithmetic == Arithmetic::fused && !can_fuse()) {
    return Error{"this machine or this build has no fused arithmetic: measure the exact one."};
  }
  for (const Case& entry : all_cases()) {
    if (entry.name == name) return entry.make(arithmetic);
  }
  return Error{"there is no case named '" + std::string(name) +
               "': `tp bench --list` prints them."};
}

Measurement measure(const Work& work, double seconds, double (*now_in_milliseconds)()) {
  work.run();
  double start = now_in_milliseconds();
  int together = 0;  // calls between two looks at the clock
  do {
    work.run();
    ++together;
  } while (now_in_milliseconds() - start < kLeastTimed);

  std::vector<double> times;
  const double end = now_in_milliseconds() + 1000 * seconds;
  while (times.size() < 3 || now_in_milliseconds() < end) {
    start = now_in_milliseconds();
    for (int i = 0; i < together; ++i) work.run();
    times.push_back((now_in_milliseconds() - start) / (together * work.units));
  }
  std::sort(times.begin(), times.end());
  return {.median = times[times.size() / 2],
          .fastest = times.front(),
          .slowest = times.back(),
          .calls = together * static_cast<int>(times.size())};
}

std::string to_json(std::string_view name, const Work& work, const Measurement& measured) {
  Json json = {{"case", name},
               {"unit", work.unit},
               {"ms", measured.median},
               {"min", measured.fastest},
               {"max", measured.slowest},
               {"iterations", measured.calls}};
  if (work.flop > 0) json["flop"] = work.flop;
  if (work.bytes > 0) json["bytes"] = work.bytes;
  if (work.parameters > 0) json["parameters"] = work.parameters;
  return json.dump();
}

}  // namespace tp::bench
