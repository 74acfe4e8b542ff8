#include "cli/held_out_watch.h"

#include <cstdio>
#include <cstdlib>

#include "engine/io/parameters_file.h"

namespace tp::cli {
namespace {

constexpr double kPerfect = 0.99;  // as in the page
constexpr double kTrifle = 0.01;   // of the loss
constexpr const char* kExact = "heldout_exact";
constexpr const char* kLoss = "heldout_loss";

std::string exactly(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

}  // namespace

HeldOutWatch::HeldOutWatch(const RunFolder& folder, StopWhen stop_when, bool keep_best)
    : path_(folder.best()), stop_when_(stop_when), keep_best_(keep_best) {
  if (!keep_best) return;
  const Result<Safetensors> file = Safetensors::read(path_);
  if (!file) return;
  const auto number = [&](const char* name) -> std::optional<double> {
    const auto at = file.value().metadata().find(name);
    if (at == file.value().metadata().end()) return std::nullopt;
    return std::strtod(at->second.c_str(), nullptr);
  };
  if (const auto loss = number(kLoss)) best_ = Score{number(kExact).value_or(0), *loss};
}

Status HeldOutWatch::add(const Evaluation& exam, const Trainer& trainer,
                         const std::string& config) {
  const Score score{exam.exact.value_or(0), exam.loss};
  perfect_exams_ = score.exact >= kPerfect ? perfect_exams_ + 1 : 0;
  ++exams_since_progress_;
  if (!progress_ || score.better_than(*progress_, kTrifle)) {
    progress_ = score;
    exams_since_progress_ = 0;
  }
  if (best_ && !score.better_than(*best_)) return Done{};
  best_ = score;
  if (!keep_best_) return Done{};
  return save_parameters(path_, trainer.model().parameters(),
                         {{"format", "pt"},
                          {"config", config},
                          {"step", std::to_string(trainer.state().steps)},
                          {kExact, exactly(score.exact)},
                          {kLoss, exactly(score.loss)}});
}

std::string HeldOutWatch::reason() const {
  if (stop_when_ == StopWhen::solved && perfect_exams_ >= kPerfectExams) {
    return "solved: " + std::to_string(kPerfectExams) + " exams in a row had 99% right";
  }
  if (stop_when_ == StopWhen::stalled && exams_since_progress_ >= kStalledExams) {
    return "stalled: no better exam in " + std::to_string(kStalledExams);
  }
  return {};
}

}  // namespace tp::cli
