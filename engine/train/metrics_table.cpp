#include "engine/train/metrics_table.h"

#include <algorithm>
#include <charconv>

#include "engine/core/number_text.h"
#include "engine/io/file.h"

namespace tp {
namespace {

constexpr std::size_t kLargestTable = std::size_t{1} << 30;

std::string header_line(const std::vector<std::string>& columns) {
  std::string line = "step";
  for (const std::string& name : columns) line += "," + name;
  return line + "\n";
}

// The names behind the step.
std::vector<std::string> columns_of(std::string_view table) {
  std::vector<std::string> columns;
  std::string_view line = table.substr(0, table.find('\n'));
  for (std::size_t comma; (comma = line.find(',')) != line.npos;) {
    line.remove_prefix(comma + 1);
    columns.emplace_back(line.substr(0, line.find(',')));
  }
  return columns;
}

// The header and the rows up to and with `last_step`; rows that are cut off or not numbered are
// left out, too.
std::string kept_rows(std::string_view table, std::uint64_t last_step) {
  std::string kept;
  bool first = true;
  for (std::size_t end; (end = table.find('\n')) != std::string_view::npos;) {
    const std::string_view line = table.substr(0, end + 1);
    table.remove_prefix(end + 1);
    std::uint64_t step = 0;
    const bool numbered =
        std::from_chars(line.data(), line.data() + line.size(), step).ec == std::errc();
    if (first || (numbered && step <= last_step)) kept += line;
    first = false;
  }
  return kept;
}

}  // namespace

Result<MetricsFile> MetricsFile::open(const std::string& path, std::vector<std::string> columns,
                                      std::uint64_t after_step) {
  std::string rows = header_line(columns);
  if (after_step > 0) {
    const Result<FileBytes> old = read_file(path, kLargestTable);
    if (!old) return old.error();
    const auto bytes = old.value().bytes();
    rows = kept_rows({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, after_step);
    columns = columns_of(rows);
  }
  const std::span<const std::byte> parts[] = {std::as_bytes(std::span(rows))};
  if (Status status = write_file(path, parts); !status) return status.error();
  Result<AppendFile> file = AppendFile::open(path, AppendFile::Mode::go_on);
  if (!file) return file.error();
  return MetricsFile(std::move(file.value()), std::move(columns));
}

Status MetricsFile::add(std::uint64_t step, std::span<const SeriesValue> values) {
  std::string line = std::to_string(step);
  for (const std::string& name : columns_) {
    line += ',';
    const auto found = std::ranges::find(values, name, &SeriesValue::name);
    if (found != values.end()) line += short_text(found->value);
  }
  return file_.append(line + "\n");
}

Status add_to_events(EventFile& events, double wall_time, std::uint64_t step,
                     std::span<const SeriesValue> values) {
  std::vector<Scalar> scalars;
  for (const SeriesValue& value : values) {
    scalars.push_back({value.name, static_cast<float>(value.value)});
  }
  return events.add(wall_time, static_cast<std::int64_t>(step), scalars);
}

}  // namespace tp
