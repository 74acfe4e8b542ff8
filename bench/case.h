#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/kernels/kernels.h"

// Pieces of work that are measured, the same natively and in WebAssembly. Times are compared with
// those of others in the same run (bench/run), never with a number of yesterday.

namespace tp::bench {

struct Work {
  std::string unit;            // what is counted: steps, products, tokens
  int units = 1;               // that one call of `run` does
  std::function<void()> run;   // owns what it works on
  double flop = 0;             // of matrix products, for one unit; 0: not counted
  std::size_t bytes = 0;       // of the activations; 0: not counted
  std::size_t parameters = 0;  // of the model; 0: there is none
};

// All names that make_work knows.
std::vector<std::string> case_names();

Result<Work> make_work(std::string_view name, Arithmetic arithmetic);

struct Measurement {
  std::string name;
  Work work;
  double median = 0, fastest = 0, slowest = 0;  // milliseconds for one unit
  int calls = 0;
  // Its products as a share of the multiply-add peak (peak.h), which is measured between its calls:
  // the machine may have another speed a moment later. 0: not told.
  double share_of_peak = 0;
};

// Runs the work once to warm up, then for `seconds`, and at least three times. Calls that take less
// than a clock can tell are timed many at once.
Result<Measurement> measure(std::string_view name, Arithmetic arithmetic, double seconds,
                            double (*now_in_milliseconds)());

// One line of JSON.
std::string to_json(const Measurement& measured);

// How the sources of the cases add theirs.
struct Case {
  std::string name;
  std::function<Result<Work>(Arithmetic)> make;
};
void add_model_cases(std::vector<Case>& cases);
void add_kernel_cases(std::vector<Case>& cases);

}  // namespace tp::bench
