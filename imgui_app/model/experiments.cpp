#include "imgui_app/model/experiments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace tp::ui {
namespace {

enum class Kind { positions, head, long_, few, ones };

// What is worth trying with each task, the most telling first.
struct Row {
  std::string_view task;
  std::array<Kind, 3> kinds;
  std::string_view then;  // the task that follows
};
constexpr Row kRows[] = {
    {"copy", {Kind::positions, Kind::long_, Kind::head}, "reverse"},
    {"reverse", {Kind::positions, Kind::head, Kind::long_}, "sort"},
    {"sort", {Kind::positions, Kind::long_, Kind::few}, "add"},
    {"add", {Kind::ones, Kind::positions, Kind::few}, "date"},
    {"date", {Kind::positions, Kind::few, Kind::head}, "translate"},
    {"translate", {Kind::positions, Kind::few, Kind::head}, "text"},
    {"text", {Kind::positions, Kind::long_, Kind::head}, "balance"},
    {"balance", {Kind::positions, Kind::long_, Kind::few}, "forecast"},
    {"forecast", {Kind::positions, Kind::long_, Kind::few}, "shapes"},
    {"shapes", {Kind::positions, Kind::few, Kind::head}, "reverse"},
};
// Of any other task.
constexpr Row kOther = {"", {Kind::positions, Kind::head, Kind::few}, "translate"};

const Row& row_of(std::string_view task) {
  const auto found = std::ranges::find(kRows, task, &Row::task);
  return found == std::end(kRows) ? kOther : *found;
}

NextThing experiment(Kind kind, const RunSettings& base) {
  switch (kind) {
    case Kind::positions:
      return {Text::next_positions, Text::lesson_positions, {{"positions", "none"}}};
    case Kind::head:
      return {Text::next_head, Text::lesson_head, {{"heads", "1"}}};
    case Kind::few:
      return {Text::next_few, Text::lesson_few, {{"train_size", "100"}}};
    case Kind::ones:
      return {Text::setting_ones_first, Text::lesson_ones, {{"ones_first", "true"}}};
    case Kind::long_:
      break;
  }
  NextThing thing{Text::next_long, Text::lesson_long};
  const ConstProperties table = base.all_properties();
  for (const char* name : {"max_length", "min_length", "length", "days"}) {
    const ConstProperty* property = find_property(table, name);
    if (property == nullptr) continue;
    const double most = property->maximum, twice = 2 * property->number();
    const bool shortest = std::string_view(name) == "min_length";
    // A shortest length of one letter or two stays: the examples are to be of all lengths.
    if (twice > most || (shortest && property->number() <= 2)) continue;
    thing.changes.emplace_back(name, std::to_string(static_cast<int>(twice)));
  }
  return thing;
}

bool has(const RunSettings& settings, const SettingValues& values) {
  return std::ranges::all_of(
      values, [&](const auto& one) { return settings.text_of(one.first) == one.second; });
}

}  // namespace

std::vector<NextThing> Experiments::offers(const RunSettings& now) const {
  constexpr std::size_t kOffers = 3;
  const Row& row = row_of(now.task());
  std::optional<RunSettings> base;
  if (begun_ && reference_) {
    if (Result<RunSettings> read = RunSettings::from_json(reference_->config); read) {
      base = read.value();
    }
  }
  std::vector<NextThing> things;
  for (const Kind kind : row.kinds) {
    NextThing thing = experiment(kind, base ? *base : now);
    // What the run has already is no change.
    if (!thing.changes.empty() && !has(now, thing.changes)) things.push_back(std::move(thing));
  }
  std::string_view task = row.then;
  for (; things.size() < kOffers; task = row_of(task).then) {
    if (task != now.task()) things.push_back({.label = Text::next_task, .task = std::string(task)});
  }
  return things;
}

void Experiments::ask(NextThing thing, const RunView& run, const RunSettings& now) {
  if (!begun_) {
    reference_ = {now.json(), static_cast<double>(run.solved_at()), run.value_now("heldout_loss")};
  }
  asked_ = std::move(thing);
}

SettingValues Experiments::begin(Expectation expected, const RunView& run) {
  // The settings of the reference, where an experiment before this one changed them.
  SettingValues changes;
  Result<RunSettings> read = RunSettings::from_json(reference_->config);
  const RunSettings& base = read.value();  // it was written here
  if (begun_) {
    for (const auto& [name, value] : begun_->thing.changes) {
      changes.emplace_back(name, base.text_of(name));
    }
  }
  std::ranges::copy(asked_->changes, std::back_inserter(changes));
  // Time enough to be slower.
  if (base.training().epochs == 0) {
    changes.emplace_back("steps", std::to_string(2 * base.training().steps));
  }
  begun_ = {std::move(*asked_), expected, run.now().run};
  asked_.reset();
  return changes;
}

void Experiments::follow(const RunView& run, const RunSettings& now) {
  if (run.running()) asked_.reset();
  if (!begun_ || run.now().run == begun_->after) return;
  if (has(now, begun_->thing.changes)) return;
  begun_.reset();
  reference_.reset();
}

std::optional<Expectation> Experiments::outcome(const RunView& run,
                                                const Diagnosis& diagnosis) const {
  if (!begun_ || run.now().run == begun_->after || !reference_) return std::nullopt;
  using enum Expectation;
  if (diagnosis.matter == Matter::solved) {
    if (run.solved_at() == 0) return std::nullopt;  // a moment of it that was rewound to
    const double steps = static_cast<double>(run.solved_at());
    return steps <= 1.5 * reference_->steps ? as_well : trouble;
  }
  if (diagnosis.matter == Matter::nothing || diagnosis.matter == Matter::outside_lengths) {
    return std::nullopt;
  }
  const double exact = run.value_now("heldout_exact");
  if (std::isfinite(exact)) return exact >= 0.9 ? trouble : fails;
  if (run.value_now("heldout_loss") <= 1.05 * reference_->loss) return as_well;
  return run.phase() == Phase::guessing ? fails : trouble;
}

}  // namespace tp::ui
