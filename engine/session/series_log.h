#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/session/snapshot.h"
#include "engine/train/series.h"

namespace tp {

// What a run has measured and not told yet. Names are told once; after that, a number is written
// without a search, as long as the numbers of a step come in the same order.
class SeriesLog : public SeriesSink {
 public:
  // What was added since the last call was measured at this step.
  void end_row(std::uint64_t step);
  bool empty() const { return rows_.empty(); }
  void tell(Snapshot& snapshot);

 private:
  void take(std::string_view name, std::string_view path, double value) override;

  std::vector<std::string> names_;
  std::size_t told_ = 0;  // how many names were told
  std::size_t next_ = 0;  // the name that is expected
  std::vector<SeriesRows> rows_;
  std::vector<std::uint32_t> series_;  // of the row that is being added
  std::vector<double> values_;
};

}  // namespace tp
