#include "imgui_app/model/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/number_text.h"

namespace tp::ui {
namespace {

using Line = std::vector<SeriesPoint>;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Up to the moment shown.
Line line_until_now(const RunView& run, std::string_view name) {
  Line line = run.line(name);
  std::erase_if(line, [&](const SeriesPoint& p) { return p.step > run.now().moment.step; });
  return line;
}

// Over the steps after `from`, up to and with `to`.
double mean(const Line& line, std::uint64_t from, std::uint64_t to) {
  double sum = 0, count = 0;
  for (const SeriesPoint& point : line) {
    if (point.step > from && point.step <= to) sum += point.value, ++count;
  }
  return count > 0 ? sum / count : kNone;
}

// What is known without learning: the loss of an even guess, or that of the first steps.
double guess(const RunView& run, const Line& loss) {
  if (run.now().vocabulary > 1) return std::log(run.now().vocabulary);
  return loss.empty() ? kNone : mean(loss, 0, loss.front().step + 10);
}

std::string rate_text(double rate) {
  // Two digits are enough for a rate.
  const double parts = std::pow(10, 1 - std::floor(std::log10(rate)));
  return short_text(std::round(rate * parts) / parts);
}

struct Course {
  std::uint64_t step;
  Line loss, heldout;
  double guess;
};

// The lowest mean over twenty steps in a row, up to this one.
double lowest_until(const Line& line, std::uint64_t end) {
  constexpr std::uint64_t kSteps = 20;
  double lowest = std::numeric_limits<double>::infinity(), sum = 0;
  int count = 0;
  std::uint64_t block = 0;
  for (const SeriesPoint& point : line) {
    if (point.step / kSteps != block) {
      if (count > 0) lowest = std::min(lowest, sum / count);
      if (point.step > end) break;
      block = point.step / kSteps, sum = 0, count = 0;
    }
    sum += point.value, ++count;
  }
  return lowest;
}

bool far_above(double rate, double usual) { return rate > 2 * usual; }

// The loss rose and stayed: over the last two of eight parts it is above the best before by a share
// of what a guess costs, which is smaller where the rate is far above the preset's. Or nothing was
// ever learned at such a rate.
bool rate_is_too_high(const Course& c, double rate, double usual) {
  constexpr std::uint64_t kLeast = 100;
  if (c.step < kLeast) return false;
  const std::uint64_t part = std::max<std::uint64_t>(c.step / 8, 20);
  const double last = mean(c.loss, c.step - part, c.step);
  const double before = mean(c.loss, c.step - 2 * part, c.step - part);
  const double lowest = lowest_until(c.loss, c.step - 2 * part), stayed = std::min(last, before);
  if (stayed > lowest + (far_above(rate, usual) ? 0.05 : 0.15) * c.guess) return true;
  return far_above(rate, usual) && std::min(stayed, lowest) > 0.9 * c.guess;
}

// The examples are learned by heart: held-out loss rises over three exams while that of training is
// far below, or it stays where it is while that of training is next to nothing. Returns the best
// exam.
const SeriesPoint* overfitted_since(const Course& c, double learned) {
  constexpr std::ptrdiff_t kExams = 3;
  if (std::ssize(c.heldout) <= kExams) return nullptr;
  const auto best = std::ranges::min_element(c.heldout, {}, &SeriesPoint::value);
  const auto recent = c.heldout.end() - kExams;
  const double now = c.heldout.back().value, risen = 1.1 * best->value + 0.03 * c.guess;
  const bool rises = best < recent && std::all_of(recent, c.heldout.end(),
                                                  [&](const auto& p) { return p.value > risen; });
  const bool stays = now > 0.2 * c.guess && (recent - 1)->value < 1.05 * now;
  return (rises && learned < 0.8 * now) || (stays && learned < 0.1 * now) ? &*best : nullptr;
}

// Neither the loss nor the answers got better over these last steps; 0: they did.
std::uint64_t stuck_for(const RunView& run, const Course& c, std::uint64_t planned) {
  const std::uint64_t span = std::max<std::uint64_t>(150, planned / 5);
  if (c.step < span) return 0;
  const double last = mean(c.loss, c.step - span / 2, c.step);
  const double before = mean(c.loss, c.step - span, c.step - span / 2);
  if (!(last > 0.98 * before)) return 0;
  const Line exact = line_until_now(run, "heldout_exact");
  if (exact.empty()) return run.phase() == Phase::guessing ? span : 0;
  double early = 0, late = 0;
  for (const SeriesPoint& point : exact) {
    double& best = point.step + span <= c.step ? early : late;
    best = std::max(best, point.value);
  }
  return late < 0.9 && late <= early + 0.02 ? span : 0;
}

Remedy for_the_rate(const RunSettings& now, const RunSettings& preset) {
  const double rate = now.training().learning_rate, usual = preset.training().learning_rate;
  const std::string value = rate_text(rate > 1.5 * usual ? usual : rate / 3);
  return {Text::remedy_slower, value, {{"learning_rate", value}}, true};
}

std::optional<Remedy> against_overfitting(const RunSettings& now, std::uint64_t best,
                                          std::uint64_t last) {
  if (now.training().train_size > 0 && now.material() == Material::none) {
    return Remedy{Text::remedy_new_examples, {}, {{"train_size", "0"}}, true};
  }
  if (best == last) return std::nullopt;
  return Remedy{.label = Text::remedy_go_back, .value = std::to_string(best), .rewind = best};
}

Remedy when_stuck(const RunSettings& now, const RunSettings& preset) {
  if (now.text_of("positions") == "none" && preset.text_of("positions") != "none") {
    return {Text::remedy_positions, {}, {{"positions", preset.text_of("positions")}}, true};
  }
  const double usual = preset.training().learning_rate;
  if (now.training().learning_rate < 0.5 * usual) {
    const std::string value = rate_text(usual);
    return {Text::remedy_faster, value, {{"learning_rate", value}}};
  }
  SettingValues larger;
  for (const char* name : {"d_model", "d_ff", "heads", "encoder_layers", "decoder_layers"}) {
    const std::string wanted = preset.text_of(name);
    if (now.text_of(name) != wanted) larger.emplace_back(name, wanted);
  }
  if (!larger.empty()) return {Text::remedy_model, {}, std::move(larger), true};
  return {Text::remedy_seed, {}, {{"seed", std::to_string(now.seed() + 1)}}, true};
}

Remedy for_more_steps(const RunSettings& now, std::uint64_t total) {
  const TrainConfig& plan = now.training();
  const std::string more = std::to_string(total);
  if (plan.epochs > 0) {
    return {Text::remedy_more_steps, more, {{"epochs", std::to_string(2 * plan.epochs)}}};
  }
  return {Text::remedy_more_steps, more, {{"steps", std::to_string(2 * total)}}};
}

}  // namespace

std::string_view name_of(Matter matter) {
  constexpr std::string_view kNames[] = {"nothing",      "solved", "rate_too_high",  "overfitting",
                                         "plan_used_up", "stuck",  "outside_lengths"};
  return kNames[static_cast<std::size_t>(matter)];
}

Diagnosis diagnose(const RunView& run, const RunSettings& now, const RunSettings& preset) {
  const Snapshot& shown = run.now();
  if (shown.state == RunState::empty || shown.task != now.task()) return {};
  const auto too_high = [&]() -> Diagnosis {
    return {Matter::rate_too_high, Text::matter_rate, {}, for_the_rate(now, preset)};
  };
  if (shown.state == RunState::failed) return too_high();
  if (shown.tried && !shown.tried->remedy.empty()) {
    Remedy remedy{.label = Text::remedy_length, .restart = true};
    for (const NewValue& one : shown.tried->remedy)
      remedy.changes.emplace_back(one.name, one.value);
    return {Matter::outside_lengths, Text::matter_length, {}, std::move(remedy)};
  }
  if (run.phase() == Phase::solved) return {Matter::solved};
  Course course{shown.moment.step, line_until_now(run, "loss"), line_until_now(run, "heldout_loss"),
                0};
  course.guess = guess(run, course.loss);
  const std::uint64_t lately = course.step > 20 ? course.step - 20 : 0;
  const double learned = mean(course.loss, lately, course.step);
  if (const SeriesPoint* best = overfitted_since(course, learned)) {
    const auto text = [](double value) { return short_text(std::round(100 * value) / 100); };
    const SeriesPoint& last = course.heldout.back();
    return {Matter::overfitting,
            Text::matter_overfitting,
            {text(learned), text(last.value)},
            against_overfitting(now, best->step, last.step)};
  }
  const double rate = now.training().learning_rate, usual = preset.training().learning_rate;
  if (rate_is_too_high(course, rate, usual)) return too_high();
  if (const std::uint64_t steps = stuck_for(run, course, shown.total_steps)) {
    if (far_above(rate, usual)) return too_high();
    return {Matter::stuck, Text::matter_stuck, {std::to_string(steps)}, when_stuck(now, preset)};
  }
  if (shown.state == RunState::finished) {
    return {Matter::plan_used_up,
            Text::matter_plan,
            {std::to_string(shown.total_steps)},
            for_more_steps(now, shown.total_steps)};
  }
  return {};
}

}  // namespace tp::ui
