#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/io/append_file.h"
#include "engine/io/event_file.h"
#include "engine/train/series.h"

// What a run measures, as a table with one row a step: the step, then the series of its list.
// People script against the first nine names:
//
//   step,loss,perplexity,token_accuracy,learning_rate,gradient_norm,tokens_per_second,
//   heldout_loss,heldout_exact

namespace tp {

class MetricsFile {
 public:
  // A new table of these columns, or (`after_step` > 0) the one that is there with its own, without
  // the rows of later steps, which a run that was killed leaves behind its last checkpoint.
  static Result<MetricsFile> open(const std::string& path, std::vector<std::string> columns,
                                  std::uint64_t after_step);

  // Where nothing was measured, a cell is empty.
  Status add(std::uint64_t step, std::span<const SeriesValue> values);

 private:
  MetricsFile(AppendFile file, std::vector<std::string> columns)
      : file_(std::move(file)), columns_(std::move(columns)) {}

  AppendFile file_;
  std::vector<std::string> columns_;
};

// The same numbers as scalars.
Status add_to_events(EventFile& events, double wall_time, std::uint64_t step,
                     std::span<const SeriesValue> values);

}  // namespace tp
