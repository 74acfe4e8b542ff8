#include "engine/session/series_log.h"

#include <algorithm>
#include <utility>

namespace tp {

void SeriesLog::take(std::string_view name, std::string_view path, double value) {
  const auto is_it = [&](std::string_view known) {
    return known.size() == name.size() + path.size() && known.starts_with(name) &&
           known.ends_with(path);
  };
  if (next_ >= names_.size() || !is_it(names_[next_])) {
    next_ = static_cast<std::size_t>(std::ranges::find_if(names_, is_it) - names_.begin());
    if (next_ == names_.size()) names_.push_back(std::string(name).append(path));
  }
  series_.push_back(static_cast<std::uint32_t>(next_++));
  values_.push_back(value);
}

void SeriesLog::end_row(std::uint64_t step) {
  if (!series_.empty()) {
    auto rows = std::ranges::find(rows_, series_, &SeriesRows::series);
    if (rows == rows_.end()) rows = rows_.insert(rows, {series_, {}, {}});
    rows->steps.push_back(step);
    rows->values.insert(rows->values.end(), values_.begin(), values_.end());
  }
  series_.clear();
  values_.clear();
  next_ = 0;
}

void SeriesLog::tell(Snapshot& snapshot) {
  if (std::exchange(told_, names_.size()) != names_.size()) snapshot.series_names = names_;
  snapshot.series = std::exchange(rows_, {});
}

}  // namespace tp
