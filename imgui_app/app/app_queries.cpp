#include <algorithm>

#include "engine/inspect/path_pattern.h"
#include "imgui_app/app/app.h"
#include "imgui_app/app/json_writer.h"

// What scripts ask of the numbers of a run: playground.explain() and playground.tensors().

namespace tp::ui {
namespace {

void write_number(JsonWriter& json, std::string_view name, const std::optional<float>& value) {
  json.key(name);
  if (value) {
    json.number(*value);
  } else {
    json.null();
  }
}

void write_term(JsonWriter& json, const ExplainedTerm& term) {
  json.object([&] {
    json.field("name", term.name);
    json.field("path", term.path);
    json.field("row", term.row);
    json.field("column", term.column);
    json.field("value", term.value);
    json.field("factor", term.factor);
    if (term.factor_path.empty()) return;
    json.field("factor_path", term.factor_path);
    json.field("factor_row", term.factor_row);
    json.field("factor_column", term.factor_column);
  });
}

void write_explanation(JsonWriter& json, const Explanation& e) {
  json.field("path", e.path);
  json.field("row", e.row);
  json.field("column", e.column);
  json.field("value", e.value);
  json.field("operation", e.operation);
  json.field("equation", e.equation);
  json.array("terms", [&] {
    for (const ExplainedTerm& term : e.terms) write_term(json, term);
  });
  json.object("constants", [&] {
    for (const ExplainedConstant& constant : e.constants) json.field(constant.name, constant.value);
  });
  write_number(json, "gradient", e.gradient);
  write_number(json, "finite_difference", e.finite_difference);
}

void write_tokens(JsonWriter& json, const Snapshot& now, std::string_view name, AxisKind axis) {
  json.array(name, [&] {
    if (!now.example) return;
    for (const std::string& token : tokens_along(axis, *now.example)) json.text(token);
  });
}

void write_tensor(JsonWriter& json, const Snapshot& now, const WatchedTensor& tensor) {
  json.object([&] {
    json.field("path", tensor.path);
    json.field("operation", tensor.operation);
    json.array("axes", [&] {
      json.text(name_of(tensor.row_axis));
      json.text(name_of(tensor.column_axis));
    });
    json.object("tokens", [&] {
      write_tokens(json, now, "rows", tensor.row_axis);
      write_tokens(json, now, "columns", tensor.column_axis);
    });
    json.field("rows", tensor.rows);
    json.field("columns", tensor.columns);
    json.array("values", [&] {
      for (const float value : tensor.values) json.number(value);
    });
  });
}

}  // namespace

std::uint32_t App::ask_explanation(std::string_view path, int row, int column) {
  link_.send(Explain{std::string(path), row, column, true});
  return link_.sent();
}

std::string App::explanation_json(std::uint32_t id) const {
  const std::optional<Explained>& explained = run().now().explained;
  if (!explained || explained->id < id) return {};
  JsonWriter json;
  json.object([&] {
    json.field("id", explained->id);
    const bool korean = language() == Language::kKorean;
    json.field("problem", korean ? explained->problem.korean : explained->problem.english);
    json.field("branch", explained->moment.branch);
    json.field("step", explained->moment.step);
    json.field("example", explained->example);
    write_explanation(json, explained->explanation);
  });
  return json.take();
}

std::uint32_t App::ask_tensors(std::string_view pattern) {
  asked_.paths.push_back({std::string(pattern)});
  watch_too(watching_, asked_);
  link_.tell(settings, watching_, time_);
  return link_.sent();
}

std::string App::tensors_json(std::string_view pattern, std::uint32_t id) {
  if (!link_.answered(id)) return {};
  // It was asked for once: the next frame watches what is on the screen alone.
  std::erase_if(asked_.paths, [&](const WatchedPath& path) { return path.pattern == pattern; });
  const Snapshot& now = run().now();
  JsonWriter json;
  json.array([&] {
    for (const WatchedTensor& tensor : now.tensors) {
      const bool shown = tensor.example < 0 && !tensor.values.empty();
      if (shown && fits_pattern(tensor.path, pattern)) write_tensor(json, now, tensor);
    }
  });
  return json.take();
}

}  // namespace tp::ui
