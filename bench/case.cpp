#include "bench/case.h"

#include <algorithm>
#include <optional>

#include "bench/peak.h"
#include "engine/core/json.h"
#include "engine/kernels/parallel.h"

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

// Times a piece of work, as many calls at once as the clock needs.
class Sampler {
 public:
  Sampler(const Work& work, double (*now_in_milliseconds)())
      : work_(&work), now_in_milliseconds_(now_in_milliseconds) {
    work.run();
    const double start = now_in_milliseconds();
    do {
      work.run();
      ++together_;
    } while (now_in_milliseconds() - start < kLeastTimed);
  }

  int together() const { return together_; }

  // For one unit.
  double milliseconds() const {
    const double start = now_in_milliseconds_();
    for (int i = 0; i < together_; ++i) work_->run();
    return (now_in_milliseconds_() - start) / (together_ * work_->units);
  }

 private:
  const Work* work_;
  double (*now_in_milliseconds_)();
  int together_ = 0;
};

double median_of(std::vector<double> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
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

Result<Measurement> measure(std::string_view name, Arithmetic arithmetic, double seconds,
                            double (*now_in_milliseconds)()) {
  Result<Work> made = make_work(name, arithmetic);
  if (!made) return made.error();
  Measurement measured;
  measured.name = name;
  measured.work = std::move(made.value());

  const Sampler sampler(measured.work, now_in_milliseconds);
  std::optional<Work> peak;
  if (measured.work.flop > 0 && name != "peak" && threads() == 1) peak = peak_work(arithmetic);
  std::optional<Sampler> peak_sampler;
  if (peak) peak_sampler.emplace(*peak, now_in_milliseconds);

  std::vector<double> times, shares;
  const double end = now_in_milliseconds() + 1000 * seconds;
  while (times.size() < 3 || now_in_milliseconds() < end) {
    times.push_back(sampler.milliseconds());
    if (peak) {
      const double here = measured.work.flop / times.back();
      shares.push_back(here / (peak->flop / peak_sampler->milliseconds()));
    }
  }
  measured.calls = sampler.together() * static_cast<int>(times.size());
  measured.median = median_of(times);
  measured.fastest = *std::min_element(times.begin(), times.end());
  measured.slowest = *std::max_element(times.begin(), times.end());
  if (peak) measured.share_of_peak = median_of(shares);
  return measured;
}

std::string to_json(const Measurement& measured) {
  const Work& work = measured.work;
  Json json = {{"case", measured.name},   {"unit", work.unit},
               {"ms", measured.median},   {"min", measured.fastest},
               {"max", measured.slowest}, {"iterations", measured.calls}};
  if (work.flop > 0) json["flop"] = work.flop;
  if (measured.share_of_peak > 0) json["shareOfPeak"] = measured.share_of_peak;
  if (work.bytes > 0) json["bytes"] = work.bytes;
  if (work.parameters > 0) json["parameters"] = work.parameters;
  return json.dump();
}

}  // namespace tp::bench
