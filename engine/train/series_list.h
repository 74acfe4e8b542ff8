#pragma once

#include <span>
#include <string_view>

// Everything of a run that has one number a step, by name. metrics.csv, event files, curves and
// scripts read this list; what is new is one line in series.cpp and one where it is measured.

namespace tp {

enum class SeriesSource { step, exam, watch };
enum class Better { lower, higher, neither };

struct SeriesInfo {
  // With a dot at the end it is a family: one series for each layer, head or tensor, whose path
  // follows.
  std::string_view name;
  std::string_view unit;  // empty: a plain number
  Better better;
  SeriesSource source;
  std::string_view english_title, korean_title;
  std::string_view english, korean;  // what it means
};

// In the order of metrics.csv. People script against the first eight names.
std::span<const SeriesInfo> all_series();
// Of a name, or of the family that it belongs to; null when it is neither.
const SeriesInfo* series_info(std::string_view name);

}  // namespace tp
