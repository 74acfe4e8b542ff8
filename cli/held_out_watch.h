#pragma once

#include <optional>
#include <string>

#include "cli/run_folder.h"
#include "engine/train/evaluation.h"
#include "engine/train/trainer.h"

namespace tp::cli {

// Until what the exams of a run say, beside its plan of steps.
enum class StopWhen { never, solved, stalled };

// Looks at the exams of a run: which was the best, and whether it is time to stop.
class HeldOutWatch {
 public:
  static constexpr int kPerfectExams = 3;   // in a row: solved
  static constexpr int kStalledExams = 10;  // in a row without progress: stalled

  // Of a run that goes on, the best exam before is that of its best.safetensors.
  HeldOutWatch(const RunFolder& folder, StopWhen stop_when, bool keep_best);

  // Saves the weights when the exam is the best so far and they are to be kept.
  Status add(const Evaluation& exam, const Trainer& trainer, const std::string& config);

  // Why the run should stop; empty: it should not.
  std::string reason() const;

 private:
  // Right answers first, where there are any; then the loss.
  struct Score {
    double exact, loss;
    // By at least this share of the other's loss.
    bool better_than(const Score& other, double share = 0) const {
      return exact != other.exact ? exact > other.exact : loss < (1 - share) * other.loss;
    }
  };

  std::string path_;
  StopWhen stop_when_;
  bool keep_best_;
  std::optional<Score> best_;      // as kept
  std::optional<Score> progress_;  // the last that was better by more than a trifle
  int perfect_exams_ = 0, exams_since_progress_ = 0;
};

}  // namespace tp::cli
