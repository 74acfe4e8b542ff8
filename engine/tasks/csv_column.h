#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"

namespace tp {

// One decimal number and nothing else ("1.5", "-2e3"), below 1e100; white space around it is
// ignored.
std::optional<double> parse_decimal(std::string_view text);

struct CsvColumn {
  std::vector<double> values;
  std::size_t number = 0;  // from 1 on
  std::string heading;     // empty where the table has none
};

// The numbers of one column of a table: lines of cells separated by semicolons, tabs or commas,
// every line with as many as the first, cells in double quotes where they hold such a sign. Where
// semicolons separate, a comma may be the decimal point. A first line whose cell is not a number is
// the heading. `column` is a heading or a number from 1 on; empty means the first column of
// numbers. The first cell that is not a number is named with its line.
Result<CsvColumn> csv_column(std::string_view text, std::string_view column);

}  // namespace tp
