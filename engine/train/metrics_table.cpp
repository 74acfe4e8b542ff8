#include "engine/train/metrics_table.h"

#include <charconv>
#include <cmath>

#include "engine/core/number_text.h"
#include "engine/io/file.h"

namespace tp {
namespace {

constexpr std::size_t kLargestTable = std::size_t{1} << 30;

std::string header_line(const std::vector<ParameterLayer>& layers) {
  std::string line = "step";
  for (const MetricCell& cell : metric_row({}, 0, nullptr)) line += "," + std::string(cell.name);
  for (const ParameterLayer& layer : layers) line += ",update_ratio." + layer.name;
  return line + "\n";
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

std::vector<MetricCell> metric_row(const StepMetrics& step, double tokens_per_second,
                                   const Evaluation* exam) {
  std::vector<MetricCell> row = {{"loss", step.loss},
                                 {"perplexity", step.perplexity},
                                 {"token_accuracy", step.token_accuracy},
                                 {"learning_rate", step.learning_rate},
                                 {"gradient_norm", step.gradient_norm},
                                 {"tokens_per_second", tokens_per_second},
                                 {"heldout_loss", {}},
                                 {"heldout_exact", {}},
                                 {"heldout_token_accuracy", {}},
                                 {"heldout_metric", {}},
                                 {"heldout_alignment", {}},
                                 {"clipped", step.clipped ? 1 : 0},
                                 {"loss_scale", step.loss_scale},
                                 {"underflows", static_cast<double>(step.underflows)},
                                 {"overflows", static_cast<double>(step.overflows)}};
  if (exam != nullptr) {
    row[6].value = exam->loss;
    row[7].value = exam->exact;
    row[8].value = exam->token_accuracy;
    row[9].value = exam->metric;
    if (!exam->alignment.empty()) row[10].value = exam->best_head_alignment();
  }
  return row;
}

Result<MetricsFile> MetricsFile::open(const std::string& path,
                                      const std::vector<ParameterLayer>& layers,
                                      std::uint64_t after_step) {
  std::string rows = header_line(layers);
  if (after_step > 0) {
    const Result<FileBytes> old = read_file(path, kLargestTable);
    if (!old) return old.error();
    const auto bytes = old.value().bytes();
    rows = kept_rows({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, after_step);
  }
  const std::span<const std::byte> parts[] = {std::as_bytes(std::span(rows))};
  if (Status status = write_file(path, parts); !status) return status.error();
  Result<AppendFile> file = AppendFile::open(path, AppendFile::Mode::go_on);
  if (!file) return file.error();
  return MetricsFile(std::move(file.value()));
}

Status MetricsFile::add(const StepMetrics& step, const std::vector<MetricCell>& row) {
  std::string line = std::to_string(step.step);
  for (const MetricCell& cell : row) {
    line += ',';
    if (cell.value) line += short_text(*cell.value);
  }
  for (const double ratio : step.update_ratios) {
    line += ',';
    line += short_text(ratio);
  }
  return file_.append(line + "\n");
}

Status add_to_events(EventFile& events, double wall_time, std::uint64_t step,
                     const std::vector<MetricCell>& row) {
  std::vector<Scalar> scalars;
  for (const MetricCell& cell : row) {
    if (cell.value) scalars.push_back({cell.name, static_cast<float>(*cell.value)});
  }
  return events.add(wall_time, static_cast<std::int64_t>(step), scalars);
}

}  // namespace tp
