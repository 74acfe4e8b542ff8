#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/session/attention_view.h"
#include "engine/session/snapshot.h"
#include "engine/train/run_config.h"
#include "engine/train/trainer.h"

// Everything that belongs to one run: the trainer, its exams, what is looked at, and the past. It
// works in pieces and knows neither commands nor time.

namespace tp {

class LiveRun {
 public:
  // What happened and was not told yet.
  struct News {
    std::vector<MetricPoint> points;
    std::vector<ExamPoint> exams;
    std::vector<CurveEvent> events;
    bool stills = false, branches = false, samples = false;
    bool has_points() const { return !points.empty() || !exams.empty() || !events.empty(); }
  };

  static Result<std::unique_ptr<LiveRun>> create(RunConfig config, std::string material,
                                                 std::size_t memory_limit);

  const Task& task() const { return *task_; }
  Trainer& trainer() { return *trainer_; }
  const Trainer& trainer() const { return *trainer_; }
  std::string config_json() const;
  const std::string& material() const { return material_; }
  std::uint64_t bytes() const { return bytes_; }
  // Matrix products of one step, on average over the task's examples.
  double operations() const { return operations_; }

  Moment moment() const { return moment_; }
  std::uint64_t total_steps() const { return static_cast<std::uint64_t>(trainer_->total_steps()); }
  bool finished() const { return trainer_->finished(); }
  std::uint64_t weights_hash();
  const std::vector<Branch>& branches() const { return branches_; }

  // --- Work, a piece at a time
  bool exam_due() const { return exam_due_; }
  void advance_exam();
  // True when the step is done; an error leaves everything as it was before the step.
  Result<bool> advance_step();
  // Exams in a row, up to the last one, that were as good as perfect.
  int perfect_exams() const { return perfect_exams_; }

  // --- What is looked at
  void choose_example(int index);
  const ShownExample& example() const { return view_->example(); }
  std::vector<AttentionMap> attention();
  const std::vector<Still>& stills() const { return stills_; }
  std::vector<PositionTable> positions() const;
  // The first held-out examples with the model's answers, as of the last exam.
  const std::vector<Sample>& samples() const { return samples_; }

  News& news() { return news_; }

 private:
  LiveRun(RunConfig config, std::string material, std::shared_ptr<const Task> task,
          std::unique_ptr<Trainer> trainer, std::unique_ptr<AttentionView> view);

  void arrived();  // at a moment: its still, its exam
  void look();
  void write_samples();
  void measure();

  RunConfig config_;
  std::string material_;
  std::shared_ptr<const Task> task_;
  std::unique_ptr<Trainer> trainer_;
  std::unique_ptr<AttentionView> view_;
  std::uint64_t bytes_ = 0;
  double operations_ = 0;

  Moment moment_;
  std::vector<Branch> branches_;
  std::vector<Still> stills_;
  std::vector<Sample> samples_;
  bool exam_due_ = false;
  int perfect_exams_ = 0;
  bool view_is_fresh_ = false;  // of these weights and this example
  std::optional<std::uint64_t> hash_;
  News news_;
};

}  // namespace tp
