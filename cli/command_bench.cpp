#include <chrono>
#include <cstdio>
#include <string>

#include "bench/case.h"
#include "cli/command.h"
#include "cli/run_folder.h"
#include "engine/kernels/parallel.h"

namespace tp::cli {
namespace {

constexpr Flag kFlags[] = {
    {"case", "C", "what to measure, or several with commas between them (tiny)"},
    {"list", "", "print the names of all cases"},
    {"seconds", "X", "to measure for, at least (1)"},
    {"arithmetic", "A", "exact or fused (exact)"},
    {"threads", "N", "that share the work; no result depends on it (1)"},
    {"json", "FILE",
     "write a line of JSON for each case; - is the standard output, without the table"},
};

double now_in_milliseconds() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double, std::milli>(Clock::now().time_since_epoch()).count();
}

void print_row(const bench::Measurement& measured) {
  const double gigaflops = measured.work.flop / measured.median / 1e6;
  std::printf("%-26s %12.4f %12.4f %12.1f", measured.name.c_str(), measured.median,
              measured.fastest, 1000 / measured.median);
  if (gigaflops > 0) std::printf(" %10.2f", gigaflops);
  if (measured.share_of_peak > 0) std::printf(" %7.0f%%", 100 * measured.share_of_peak);
  std::printf("\n");
}

int run(const Arguments& arguments) {
  if (arguments.find("list")) {
    for (const std::string& name : bench::case_names()) std::printf("%s\n", name.c_str());
    return kFine;
  }
  double seconds = 1;
  int thread_count = 1;
  Arithmetic arithmetic = Arithmetic::exact;
  for (const Property& property :
       {real("seconds", seconds, 0.001, 3600), integer("threads", thread_count, 1, kMostThreads),
        choice("arithmetic", arithmetic, {"exact", "fused"})}) {
    if (Status status = arguments.read(property); !status) return wrong_usage(status.error());
  }
  set_threads(thread_count);
  const std::string json = arguments.find("json").value_or("");
  const bool table = json != "-";
  std::string lines;
  if (table) {
    std::printf("%-26s %12s %12s %12s %10s %8s\n", "case", "median ms", "least ms", "a second",
                "GFLOP/s", "of peak");
  }
  const std::string names = arguments.find("case").value_or("tiny") + ",";
  for (std::size_t first = 0; first < names.size();) {
    const std::size_t comma = names.find(',', first);
    const std::string name = names.substr(first, comma - first);
    first = comma + 1;
    const Result<bench::Measurement> measured =
        bench::measure(name, arithmetic, seconds, now_in_milliseconds);
    if (!measured) return wrong_usage(measured.error());
    lines += bench::to_json(measured.value()) + "\n";
    if (table) print_row(measured.value());
    std::fflush(stdout);
  }
  if (!table) std::printf("%s", lines.c_str());
  if (table && !json.empty()) {
    if (Status status = write_text(json, lines); !status) return failed(status.error());
  }
  return kFine;
}

}  // namespace

const Command kBenchCommand = {"bench",
                               "measures training steps, products and decoding",
                               "tp bench --case tiny,small --arithmetic fused",
                               kFlags,
                               Settings::none,
                               run};

}  // namespace tp::cli
