#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/check.h"
#include "engine/session/live_run.h"
#include "engine/session/pace.h"
#include "engine/session/session.h"
#include "engine/session/trial.h"

// What a session is made of. session_commands.cpp does what it is told, session.cpp the work in
// between, and tells of it.

namespace tp {

class Session::Impl {
 public:
  explicit Impl(SessionOptions options) : options_(std::move(options)) {
    TP_CHECK(options_.now != nullptr, "a session needs to know the time");
  }

  void receive(std::span<const std::byte> bytes);
  double work(double milliseconds);
  std::vector<std::byte> take_snapshot();

 private:
  // Commands. What is wrong is said and changes nothing.
  Status obey(const Start& command);
  Status obey(const Play&);
  Status obey(const Pause&);
  Status obey(const Step& command);
  Status obey(const SetPace& command);
  Status obey(const Retune& command);
  Status obey(const Watch& command);
  Status obey(const ChooseExample& command);
  Status obey(const TryInput& command);
  Status obey(const Rewind& command);
  Status obey(const Save&);
  Status obey(const Load& command);
  Status obey(const EstimateRun& command);
  Status obey(const Explain& command);

  // What a configuration and a text of the user's make, before anything large is made of it.
  struct Plan {
    RunConfig config;
    std::string material;
    std::shared_ptr<const Task> task;
    RunSizes sizes;
  };
  Result<Plan> plan(const std::string& json, const std::string& material) const;
  // Replaces the run, when everything is right.
  Status begin(Plan plan, const std::function<Status(Trainer&)>& prepare);
  void begin_trial(std::uint32_t id, const TryInput& command);
  void show_example(int index);
  void show_typed();  // if it is wanted and there
  void settle();
  void pause();

  // One piece of work; how long to wait for the next, 0 when there is more at once, -1 when there
  // is nothing to do.
  double piece();
  double step_piece();
  void explain_piece();
  void step_done();
  void exam_done();
  void stop(RunState state, const char* why);

  Snapshot build_snapshot();
  void add_new_run(Snapshot& snapshot) const;
  void add_watched(Snapshot& snapshot);
  // What is not told yet of the branch or run that is being left.
  void keep_news();

  SessionOptions options_;
  std::unique_ptr<LiveRun> run_;
  std::unique_ptr<Trial> trial_;  // of run_
  RunState state_ = RunState::empty;
  std::uint32_t run_number_ = 0, answered_ = 0, refused_ = 0;  // answered_: of the last command
  int steps_left_ = 0;                                         // of those asked for; 0: no end
  bool told_solved_ = false;                                   // stops once
  bool exam_suspended_ = false;                                // by a pause
  bool look_wanted_ = false;                                   // a snapshot waits for it
  bool wants_typed_ = false;  // the example to show is what was tried
  int held_out_ = 0;          // otherwise, or while that cannot be read
  double step_began_ = 0;     // when
  Pace pace_;
  Speed speed_;
  Watch watched_;

  // What the next snapshot says.
  bool anything_new_ = false, new_run_ = false, new_example_ = false;
  bool tell_tensors_ = false, tell_samples_ = false, tell_stills_ = false, tell_trial_ = false;
  std::optional<Explain> to_explain_;  // asked for, and not known yet
  std::uint32_t explain_id_ = 0;       // that of the command
  std::optional<Explained> explained_;
  std::optional<Estimate> estimate_;
  std::vector<std::byte> file_;
  std::string file_name_;
  Sentence error_, warning_;
  std::deque<std::vector<std::byte>> outbox_;
};

}  // namespace tp
