#include "engine/session/session.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "engine/core/check.h"
#include "engine/session/live_run.h"
#include "engine/session/pace.h"
#include "engine/session/shown_answer.h"

namespace tp {
namespace {

// In a row, and the task counts as solved.
constexpr int kPerfectExams = 3;

}  // namespace

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
  Status obey(const Command& command);
  Status start(const Command& command);
  Status play();
  Status step(int count);
  Status example(int index);
  void pause();

  // One piece of work; how long to wait for the next, 0 when there is more at once, -1 when there
  // is nothing to do.
  double piece();
  void step_done();
  void exam_done();
  void stop(RunState state);

  Snapshot build_snapshot();
  // What a snapshot would say of the branch or run that is being left.
  void keep_news();

  SessionOptions options_;
  std::unique_ptr<LiveRun> run_;
  RunState state_ = RunState::empty;
  std::uint32_t run_number_ = 0, answered_ = 0;
  int steps_left_ = 0;           // of those asked for; 0: no end
  bool told_solved_ = false;     // stops once
  bool exam_suspended_ = false;  // by a pause in the middle
  Pace pace_;
  Speed speed_;
  std::uint32_t watched_ = 0;

  // What the next snapshot says.
  bool anything_new_ = false, new_run_ = false, new_example_ = false;
  bool tell_attention_ = false, tell_positions_ = false, tell_samples_ = false;
  bool tell_stills_ = false;
  Sentence error_, warning_;
  std::deque<std::vector<std::byte>> outbox_;
};

// --------------------------------------------------------------------------------------- commands

void Session::Impl::receive(std::span<const std::byte> bytes) {
  anything_new_ = true;
  const Result<Command> command = decode_command(bytes);
  if (!command) {
    error_ = sentence_of(command.error());
    return;
  }
  answered_ = command.value().id;
  if (const Status status = obey(command.value()); !status) error_ = sentence_of(status.error());
}

Status Session::Impl::obey(const Command& command) {
  switch (command.kind) {
    case CommandKind::start:
      return start(command);
    case CommandKind::play:
      return play();
    case CommandKind::pause:
      pause();
      return Done{};
    case CommandKind::step:
      return step(command.index);
    case CommandKind::pace:
      if (!(command.number >= 0 && command.number <= 1e6)) {
        return Error{"the pace is a number of steps a second: choose one from 0 to 1000000."};
      }
      pace_.set(command.number, options_.now());
      speed_.restart(options_.now());
      return Done{};
    case CommandKind::watch:
      watched_ = static_cast<std::uint32_t>(command.index);
      tell_attention_ = tell_positions_ = tell_samples_ = tell_stills_ = true;
      return Done{};
    case CommandKind::example:
      return example(command.index);
    default:
      return Error{"this command is not known here."};
  }
}

Status Session::Impl::start(const Command& command) {
  Result<RunConfig> config = run_from_json(command.text);
  if (!config) return config.error();
  auto run = LiveRun::create(std::move(config.value()), command.material, options_.memory_limit);
  if (!run) return run.error();
  keep_news();
  run_ = std::move(run.value());
  ++run_number_;
  told_solved_ = exam_suspended_ = false;
  steps_left_ = 0;
  new_run_ = new_example_ = true;
  tell_attention_ = tell_positions_ = tell_samples_ = tell_stills_ = true;
  error_ = warning_ = {};
  state_ = RunState::paused;
  return command.flag ? play() : Status(Done{});
}

Status Session::Impl::play() {
  if (!run_) return Error{"there is no run yet: start one."};
  if (run_->finished()) {
    stop(RunState::finished);
    return Error{"the run has done all its " + std::to_string(run_->total_steps()) +
                     " steps: raise steps to go on.",
                 "학습이 마지막 스텝까지 끝났습니다. 더 학습하려면 스텝 수를 늘려 주십시오."};
  }
  state_ = RunState::running;
  exam_suspended_ = false;
  steps_left_ = 0;
  pace_.restart(options_.now());
  speed_.restart(options_.now());
  return Done{};
}

Status Session::Impl::step(int count) {
  if (const Status status = play(); !status) return status;
  steps_left_ = std::max(count, 1);
  return Done{};
}

void Session::Impl::pause() {
  if (state_ == RunState::running) state_ = RunState::paused;
  steps_left_ = 0;
  exam_suspended_ = run_ && run_->exam_due();
}

Status Session::Impl::example(int index) {
  if (!run_) return Error{"there is no run yet: start one."};
  if (index < 0 || index >= 100'000) {
    return Error{"held-out examples are numbered from 0 to 99999: choose one of these."};
  }
  run_->choose_example(index);
  new_example_ = tell_attention_ = true;
  return Done{};
}

// ------------------------------------------------------------------------------------------- work

double Session::Impl::work(double milliseconds) {
  const double begin = options_.now();
  for (;;) {
    const double wait = piece();
    if (wait != 0) return wait;
    if (options_.now() - begin >= milliseconds) return 0;
  }
}

double Session::Impl::piece() {
  if (!run_) return -1;
  if (run_->exam_due() && !exam_suspended_) {
    run_->advance_exam();
    anything_new_ = true;
    if (run_->exam_due()) return 0;
    exam_done();
    return 0;
  }
  if (state_ != RunState::running) return -1;
  const double now = options_.now();
  if (steps_left_ == 0) {
    if (const double wait = pace_.wait(now); wait > 0) return wait;
    pace_.begun(now);
  }
  const Result<bool> done = run_->advance_step();
  if (!done) {
    error_ = sentence_of(done.error());
    stop(RunState::failed);
  } else if (done.value()) {
    step_done();
  }
  return 0;
}

void Session::Impl::step_done() {
  anything_new_ = true;
  tell_attention_ = tell_positions_ = true;
  speed_.step_done(options_.now());
  if (steps_left_ > 0 && --steps_left_ == 0) state_ = RunState::paused;
  if (run_->finished() && !run_->exam_due()) stop(RunState::finished);
}

void Session::Impl::exam_done() {
  if (state_ != RunState::running) return;
  // Whoever asked for so many steps gets them.
  if (!told_solved_ && steps_left_ == 0 && run_->perfect_exams() >= kPerfectExams) {
    told_solved_ = true;
    stop(RunState::solved);
  } else if (run_->finished()) {
    stop(RunState::finished);
  }
}

void Session::Impl::stop(RunState state) {
  state_ = state;
  steps_left_ = 0;
  anything_new_ = true;
  speed_.restart(options_.now());
}

// -------------------------------------------------------------------------------------- snapshots

std::vector<std::byte> Session::Impl::take_snapshot() {
  if (!outbox_.empty()) {
    std::vector<std::byte> oldest = std::move(outbox_.front());
    outbox_.pop_front();
    return oldest;
  }
  if (!anything_new_) return {};
  return encode(build_snapshot());
}

void Session::Impl::keep_news() {
  if (run_ && run_->news().has_points()) outbox_.push_back(encode(build_snapshot()));
}

Snapshot Session::Impl::build_snapshot() {
  Snapshot s;
  s.run = run_number_;
  s.state = state_;
  s.answered = answered_;
  s.error = std::exchange(error_, {});
  s.warning = std::exchange(warning_, {});
  anything_new_ = false;
  if (!run_) return s;

  LiveRun::News& news = run_->news();
  s.moment = run_->moment();
  s.total_steps = run_->total_steps();
  s.steps_per_second = state_ == RunState::running ? speed_.per_second(options_.now()) : 0;
  s.weights_hash = run_->weights_hash();
  if (std::exchange(new_run_, false)) {
    s.config = run_->config_json();
    s.task = run_->task().info().name;
    const ModelConfig& model = run_->trainer().model().config();
    s.vocabulary = model.head == HeadKind::regression ? 0 : model.head_outputs();
    s.parameters = run_->trainer().model().parameters().count();
    s.bytes = run_->bytes();
    s.flops = run_->operations();
    const Vocabulary& words =
        model.has_encoder() ? run_->task().source_vocabulary() : run_->task().target_vocabulary();
    for (std::string_view word : words.words()) s.known_words.emplace_back(word);
  }
  s.points = std::move(news.points);
  s.exams = std::move(news.exams);
  s.events = std::move(news.events);
  s.branches = run_->branches();
  s.history_limit = options_.history_limit;

  if (std::exchange(new_example_, false)) s.example = run_->example();
  if ((watched_ & kWatchAttention) != 0) {
    if (std::exchange(tell_attention_, false)) s.attention = run_->attention();
    if (std::exchange(tell_stills_, false) || news.stills) s.stills = run_->stills();
  }
  if ((watched_ & kWatchPositions) != 0 && std::exchange(tell_positions_, false)) {
    s.positions = run_->positions();
  }
  if ((watched_ & kWatchSamples) != 0 && (std::exchange(tell_samples_, false) || news.samples)) {
    s.samples = run_->samples();
  }
  news = {};
  return s;
}

// ------------------------------------------------------------------------------------ the outside

Session::Session(SessionOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Session::~Session() = default;
void Session::receive(std::span<const std::byte> command) { impl_->receive(command); }
double Session::work(double milliseconds) { return impl_->work(milliseconds); }
std::vector<std::byte> Session::take_snapshot() { return impl_->take_snapshot(); }

}  // namespace tp
