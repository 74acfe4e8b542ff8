#include "engine/tasks/csv_column.h"

#include <cmath>
#include <cstdlib>
#include <string>

#include "engine/core/utf8.h"
#include "engine/tasks/text_pieces.h"

namespace tp {
namespace {

using Cells = std::vector<std::string>;

// Nothing when a quotation mark is not closed, or closed before the cell ends.
std::optional<Cells> split_cells(std::string_view line, char separator) {
  Cells cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"') {
      const bool doubled = quoted && i + 1 < line.size() && line[i + 1] == '"';
      if (doubled) {
        cells.back() += '"';
        ++i;
      } else if (quoted && i + 1 < line.size() && line[i + 1] != separator) {
        return std::nullopt;
      } else {
        quoted = !quoted;
      }
    } else if (c == separator && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return quoted ? std::nullopt : std::optional(cells);
}

// What cuts the first two lines into equally many cells, and more than one: a comma may also be a
// decimal point, so it comes last.
char separator_of(std::string_view first, std::string_view second) {
  for (const char separator : {';', '\t'}) {
    const std::optional<Cells> a = split_cells(first, separator),
                               b = split_cells(second, separator);
    if (a && b && a->size() > 1 && a->size() == b->size()) return separator;
  }
  return ',';
}

// A cell as a number.
std::optional<double> number_of(std::string_view cell, char separator) {
  const std::size_t comma = cell.find(',');
  if (separator != ';' || comma == cell.npos || cell.find('.') != cell.npos) {
    return parse_decimal(cell);
  }
  std::string with_point(cell);
  with_point[comma] = '.';
  return parse_decimal(with_point);
}

std::string at_line(std::size_t index) { return "line " + std::to_string(index + 1); }

Error no_such_column(std::string_view column, const Cells& headings) {
  std::string known;
  for (const std::string& heading : headings) {
    known += (known.empty() ? "" : ", ") + std::string(trimmed(heading));
  }
  return Error{"there is no column \"" + std::string(column) + "\": choose a number from 1 to " +
                   std::to_string(headings.size()) + " or one of " + known + ".",
               "없는 열입니다: " + std::string(column) + ". 열 목록: " + known + "."};
}

// Which column is meant, counted from 0.
Result<std::size_t> find_column(std::string_view column, const Cells& headings,
                                const Cells& first_row, char separator) {
  if (column.empty()) {
    for (std::size_t i = 0; i < first_row.size(); ++i) {
      if (number_of(first_row[i], separator)) return i;
    }
    return Error{"no column of the table begins with a number: give a table with one.",
                 "표에 수로 시작하는 열이 없습니다. 수가 든 표를 넣어 주십시오."};
  }
  for (std::size_t i = 0; i < headings.size(); ++i) {
    if (trimmed(headings[i]) == column) return i;
  }
  const std::optional<double> number = parse_decimal(column);
  if (number && *number >= 1 && *number <= static_cast<double>(headings.size()) &&
      *number == std::floor(*number)) {
    return static_cast<std::size_t>(*number) - 1;
  }
  return no_such_column(column, headings);
}

}  // namespace

std::optional<double> parse_decimal(std::string_view text) {
  const std::string number(trimmed(text));
  const bool decimal = number.find_first_not_of("0123456789+-.eE") == std::string::npos;
  if (number.empty() || number.size() > 40 || !decimal) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  // Squares and sums of anything larger would not be finite.
  if (*end != '\0' || !(std::fabs(value) < 1e100)) return std::nullopt;
  return value;
}

Result<CsvColumn> csv_column(std::string_view text, std::string_view column) {
  if (!is_valid_utf8(text)) {
    return Error{"the table is not UTF-8 text: save it as CSV in UTF-8.",
                 "표가 UTF-8 글이 아닙니다. UTF-8 CSV로 저장해 주십시오."};
  }
  std::vector<std::string_view> lines = split_lines(text);
  while (!lines.empty() && trimmed(lines.back()).empty()) lines.pop_back();
  if (lines.size() < 2) {
    return Error{"the table has fewer than two lines: give one with more.",
                 "표가 두 줄보다 짧습니다. 더 긴 표를 넣어 주십시오."};
  }

  const char separator = separator_of(lines[0], lines[1]);
  std::vector<Cells> rows;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::optional<Cells> cells = split_cells(lines[i], separator);
    if (!cells) {
      return Error{at_line(i) + " of the table has a quotation mark out of place: correct it.",
                   "따옴표가 잘못된 줄: " + std::to_string(i + 1) + ". 고쳐 주십시오."};
    }
    if (!rows.empty() && cells->size() != rows.front().size()) {
      return Error{
          at_line(i) + " of the table has " + std::to_string(cells->size()) +
              " cells and the first has " + std::to_string(rows.front().size()) +
              ": give every line equally many.",
          "칸 수가 다른 줄: " + std::to_string(i + 1) + ". 모든 줄의 칸 수를 같게 해 주십시오."};
    }
    rows.push_back(std::move(*cells));
  }

  const Result<std::size_t> found = find_column(trimmed(column), rows[0], rows[1], separator);
  if (!found) return found.error();
  const std::size_t chosen = found.value();
  CsvColumn read{.values = {}, .number = chosen + 1, .heading = {}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::optional<double> value = number_of(rows[i][chosen], separator);
    if (value) {
      read.values.push_back(*value);
    } else if (i == 0) {
      read.heading = trimmed(rows[i][chosen]);
    } else {
      return Error{at_line(i) + " of the table: \"" + rows[i][chosen] +
                       "\" is not a number: correct it or choose another column.",
                   "수가 아닌 칸이 있는 줄: " + std::to_string(i + 1) +
                       ". 고치거나 다른 열을 골라 주십시오."};
    }
  }
  return read;
}

}  // namespace tp
