#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/session/example_view.h"
#include "engine/train/series.h"

namespace tp::cli {

// Statistics of tensors as series of a run: one forward pass of the first held-out example after
// each step, and a backward pass where a gradient is watched. Training keeps its bits.
class TensorWatch {
 public:
  // Each of `wanted` is PATTERN:STATISTIC, where the statistic is a watched family of the list of
  // series without its dot. Null when nothing is wanted.
  static Result<std::unique_ptr<TensorWatch>> create(const std::vector<std::string>& wanted,
                                                     const std::shared_ptr<const Task>& task,
                                                     Trainer& trainer);

  // Of the series that there will be.
  std::vector<std::string> names(Trainer& trainer) { return names(trainer, wanted_); }
  void measure(Trainer& trainer, SeriesSink& to) { measure(trainer, wanted_, to); }

 private:
  struct Wanted {
    std::string pattern, family;  // with its dot
  };
  std::vector<std::string> names(Trainer& trainer, std::span<const Wanted> wanted);
  void measure(Trainer& trainer, std::span<const Wanted> wanted, SeriesSink& to);

  std::vector<Wanted> wanted_;
  std::unique_ptr<ExampleView> view_;
};

}  // namespace tp::cli
