#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/check.h"
#include "engine/session/snapshot.h"

// The numbers of a made-up or joined snapshot, by name.

namespace tp::test {

struct Named {
  const char* name;
  double value;  // not a number: was not measured
};

// All snapshots of a test have the same names in the same places, like those of one run.
inline void add_row(Snapshot& snapshot, std::uint64_t step, std::initializer_list<Named> row) {
  static std::vector<std::string> names;
  SeriesRows rows{{}, {step}, {}};
  for (const Named& one : row) {
    if (std::isnan(one.value)) continue;
    auto found = std::ranges::find(names, one.name);
    if (found == names.end()) found = names.insert(found, one.name);
    rows.series.push_back(static_cast<std::uint32_t>(found - names.begin()));
    rows.values.push_back(one.value);
  }
  snapshot.series_names = names;
  snapshot.series.push_back(std::move(rows));
}

// Calls use(step, value) for every point of a series.
template <class Use>
void for_each_point(auto& snapshot, std::string_view name, Use use) {
  const auto found = std::ranges::find(snapshot.series_names, name);
  const auto id = static_cast<std::uint32_t>(found - snapshot.series_names.begin());
  for (auto& rows : snapshot.series) {
    for (std::size_t i = 0; i < rows.values.size(); ++i) {
      const std::size_t columns = rows.series.size();
      if (rows.series[i % columns] == id) use(rows.steps[i / columns], rows.values[i]);
    }
  }
}

inline std::vector<std::uint64_t> steps_of(const Snapshot& snapshot, std::string_view name) {
  std::vector<std::uint64_t> steps;
  for_each_point(snapshot, name, [&](std::uint64_t step, double) { steps.push_back(step); });
  return steps;
}
inline std::vector<double> values_of(const Snapshot& snapshot, std::string_view name) {
  std::vector<double> values;
  for_each_point(snapshot, name, [&](std::uint64_t, double value) { values.push_back(value); });
  return values;
}
inline double& value_of(Snapshot& snapshot, std::string_view name, std::uint64_t step) {
  double* found = nullptr;
  for_each_point(snapshot, name, [&](std::uint64_t at, double& value) {
    if (at == step) found = &value;
  });
  TP_CHECK(found != nullptr, "no such point");
  return *found;
}

}  // namespace tp::test
