#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/inspect/finite_difference.h"
#include "engine/session/answerer.h"
#include "engine/session/example_view.h"
#include "engine/session/history.h"
#include "engine/session/run_sizes.h"
#include "engine/session/series_log.h"
#include "engine/session/snapshot.h"
#include "engine/train/run_config.h"
#include "engine/train/trainer.h"

// Everything that belongs to one run: the trainer, its exams, what is looked at, and the past. It
// works in pieces and knows neither commands nor time.

namespace tp {

struct RunLimits {
  std::size_t memory, history;
};

class LiveRun {
 public:
  // What happened and was not told yet.
  struct News {
    SeriesLog series;
    std::vector<CurveEvent> events;
    bool stills = false, samples = false;
    bool has_points() const { return !series.empty() || !events.empty(); }
  };

  // `sizes` as size_up() gave them; `prepare` changes the trainer before anything is looked at.
  static Result<std::unique_ptr<LiveRun>> create(RunConfig config, std::string material,
                                                 const std::shared_ptr<const Task>& task,
                                                 const RunSizes& sizes, const RunLimits& limits,
                                                 const std::function<Status(Trainer&)>& prepare);

  const Task& task() const { return *task_; }
  const std::shared_ptr<const Task>& shared_task() const { return task_; }
  Trainer& trainer() { return *trainer_; }
  const Trainer& trainer() const { return *trainer_; }
  const RunConfig& config() const { return config_; }
  std::string config_json() const;
  const std::string& material() const { return material_; }
  const RunSizes& sizes() const { return sizes_; }
  double loss() const { return trainer_->metrics().loss; }  // of the last step
  bool finished() const { return trainer_->finished(); }
  std::uint64_t weights_hash();

  // --- Work, a piece at a time
  // Nothing can be told now: the weights are changing.
  bool updating() const { return trainer_->updating(); }
  bool exam_due() const { return exam_due_; }
  // True when the exam is done.
  bool advance_exam();
  // Exams in a row, up to the last one, that were as good as perfect.
  int perfect_exams() const { return perfect_exams_; }
  // One piece of a step; true when it is done. An error leaves everything as it was before the
  // step.
  Result<bool> advance_step();
  bool step_begun() const { return trainer_->step_begun(); }
  // What the step just done measured; `seconds` is what it took, 0: not known.
  void tell_step(double seconds);
  // Leaves no step half done: one that changes the weights already is brought to its end, another
  // is forgotten. True when a step was done.
  bool settle();
  bool samples_due() const { return samples_due_; }
  void advance_samples();
  // Whether what is watched must be computed again, or a still is to be taken.
  bool look_due() const;
  bool still_due() const { return still_due_ || stills_to_retake_ > 0; }
  void advance_look();
  // So short that it can be done at once, before a snapshot.
  bool look_is_short() const { return look_is_short_ && stills_to_retake_ == 0; }

  // --- Changes between steps, after settle()
  // Settings of the training (JSON); what cannot change while a run goes on is refused.
  Status retune(const std::string& json);
  // The kept moment nearest to this one.
  Status rewind(Moment wanted);
  // Steps from here grow a new branch if this is a moment of the past.
  void grow();
  // Says that something happened to the run here.
  void add_event(EventKind kind, std::string name = {});

  // --- What is looked at
  void choose_example(int index);
  void show_typed(Example example);
  bool shows_typed(const Example& example) const { return views_.front()->shows_typed(example); }
  const ShownExample& example() const { return views_.front()->example(); }
  Status watch(const std::vector<WatchedPath>& paths);
  bool watches() const { return !paths_.empty(); }
  std::vector<WatchedTensor> tensors() const;
  // What there is to measure of these.
  void tell_tensors(const std::vector<WatchedTensor>& tensors);
  // Of the branch shown and what it grew from.
  std::vector<Still> stills() const;
  // Where a number of the example shown came from: nothing before that is known, after some calls.
  void begin_explaining();
  std::optional<Explained> advance_explaining(const Explain& wanted);
  // The first held-out examples with the model's answers.
  const std::vector<Sample>& samples() const { return samples_; }

  // --- The past
  Moment moment() const { return moment_; }
  const std::vector<Branch>& branches() const { return branches_; }
  const History& history() const { return history_; }
  News& news() { return news_; }

 private:
  LiveRun(RunConfig config, std::string material, std::shared_ptr<const Task> task,
          const RunSizes& sizes, std::unique_ptr<Trainer> trainer,
          std::unique_ptr<ExampleView> view, const RunLimits& limits);

  void arrived();  // at a moment: its still, its exam, its place in the history
  void weights_changed();
  bool is_head() const { return moment_.step == branches_[moment_.branch].last_step; }
  bool on_line(Moment moment, int branch) const;
  void take_still();
  void retake_still();
  void begin_sample();

  RunConfig config_;
  std::string material_;
  std::shared_ptr<const Task> task_;
  RunSizes sizes_;
  std::unique_ptr<Trainer> trainer_;

  std::size_t memory_limit_;
  std::vector<WatchedPath> paths_;
  std::vector<std::unique_ptr<ExampleView>> views_;  // of the example shown, then of others watched
  bool look_is_short_ = true;
  std::vector<Still> stills_;
  bool still_due_ = false;
  std::size_t stills_to_retake_ = 0;  // how many of stills_, from the first, are of another example
  std::vector<float> values_now_;     // of the parameters, while a still is retaken

  Explained explained_;                           // while its finite difference is not known yet
  std::unique_ptr<FiniteDifference> difference_;  // which is this

  std::unique_ptr<Exam> exam_;
  bool exam_due_ = false;
  int perfect_exams_ = 0;

  Answerer answerer_;
  std::vector<Sample> samples_, next_samples_;
  bool samples_due_ = false, sample_begun_ = false;
  std::vector<int> sample_rest_;  // of a text: what the model should go on with

  Moment moment_;
  std::vector<Branch> branches_;
  History history_;
  std::vector<CurveEvent> held_events_;  // of a past moment: they belong to the branch to come
  std::optional<std::uint64_t> hash_;
  News news_;
};

}  // namespace tp
