// The cases as a WebAssembly module, for node and for a page.

#include <emscripten.h>

#include <string>

#include "bench/case.h"
#include "engine/core/json.h"
#include "engine/kernels/parallel.h"

using namespace tp;

extern "C" {

// A line of JSON, which stays until the next call: what was measured, or {"error": ...}.
EMSCRIPTEN_KEEPALIVE const char* tp_bench(const char* name, double seconds, int fused,
                                          int threads) {
  static std::string answer;
  set_threads(threads);
  const Result<bench::Measurement> measured = bench::measure(
      name, fused != 0 ? Arithmetic::fused : Arithmetic::exact, seconds, emscripten_get_now);
  answer = measured ? bench::to_json(measured.value())
                    : Json{{"error", measured.error().message}}.dump();
  return answer.c_str();
}

EMSCRIPTEN_KEEPALIVE const char* tp_bench_names() {
  static std::string names;
  names.clear();
  for (const std::string& name : bench::case_names()) names += name + "\n";
  return names.c_str();
}
}
