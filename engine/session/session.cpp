#include "engine/session/session.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "engine/core/check.h"
#include "engine/io/property_json.h"
#include "engine/io/safetensors.h"
#include "engine/session/live_run.h"
#include "engine/session/pace.h"
#include "engine/session/shown_answer.h"
#include "engine/session/trial.h"
#include "engine/train/checkpoint.h"

namespace tp {
namespace {

// No model that learns has such a loss: a guess among all tokens has about 4.
constexpr double kExplodedLoss = 10'000;

// In a row, and the task counts as solved.
constexpr int kPerfectExams = 3;
constexpr int kMostExamples = 100'000;

Error no_run() {
  return {"there is no run yet: start one.", "아직 시작한 학습이 없습니다. 먼저 시작해 주십시오."};
}

// What did not fit when weights were taken over, or nothing.
Sentence left_out(const WeightsFit& fit) {
  constexpr std::size_t kNamed = 3;
  std::string names;
  std::size_t count = 0;
  for (const auto* list : {&fit.left_out, &fit.unused}) {
    for (const std::string& name : *list) {
      if (++count <= kNamed) names += (names.empty() ? "" : ", ") + name;
    }
  }
  if (count == 0) return {};
  if (count > kNamed) names += ", ...";
  const std::string loaded = std::to_string(fit.loaded), missed = std::to_string(count);
  return {"Loaded " + loaded + " tensors; " + missed + " did not fit: " + names + ".",
          "불러온 텐서: " + loaded + "개, 맞지 않는 텐서: " + missed + "개 (" + names + ")."};
}

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
  void pause();
  Status pace(double steps_per_second);
  void watch(std::uint32_t bits);
  Status retune(const std::string& json);
  Status example(int index);
  Status try_input(const Command& command);
  Status rewind(Moment moment);
  Status save();
  Status load(const Command& command);
  void estimate(const Command& command);

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
  void settle();

  // One piece of work; how long to wait for the next, 0 when there is more at once, -1 when there
  // is nothing to do.
  double piece();
  double step_piece();
  void step_done();
  void exam_done();
  void stop(RunState state, const char* why);

  bool watches(WatchBits bit) const { return (watched_ & bit) != 0; }
  Snapshot build_snapshot();
  void add_new_run(Snapshot& snapshot) const;
  void add_watched(Snapshot& snapshot);
  // What is not told yet of the branch or run that is being left.
  void keep_news();

  SessionOptions options_;
  std::unique_ptr<LiveRun> run_;
  std::unique_ptr<Trial> trial_;  // of run_
  RunState state_ = RunState::empty;
  std::uint32_t run_number_ = 0, answered_ = 0, refused_ = 0;
  int steps_left_ = 0;           // of those asked for; 0: no end
  bool told_solved_ = false;     // stops once
  bool exam_suspended_ = false;  // by a pause
  bool look_wanted_ = false;     // a snapshot waits for it
  Pace pace_;
  Speed speed_;
  std::uint32_t watched_ = 0;

  // What the next snapshot says.
  bool anything_new_ = false, new_run_ = false, new_example_ = false;
  bool tell_attention_ = false, tell_positions_ = false, tell_samples_ = false;
  bool tell_stills_ = false, tell_trial_ = false;
  std::optional<Estimate> estimate_;
  std::vector<std::byte> file_;
  std::string file_name_;
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
  const CommandKind kind = command.value().kind;
  const Status status = obey(command.value());
  answered_ = command.value().id;
  if (kind == CommandKind::start || kind == CommandKind::retune) {
    refused_ = status ? 0 : answered_;
  }
  // While there is no run, what was wrong first is why, and all the rest follows from it.
  if (!status && (run_ || error_.empty())) error_ = sentence_of(status.error());
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
      return pace(command.number);
    case CommandKind::retune:
      return retune(command.text);
    case CommandKind::watch:
      watch(static_cast<std::uint32_t>(command.index));
      return Done{};
    case CommandKind::example:
      return example(command.index);
    case CommandKind::try_input:
      return try_input(command);
    case CommandKind::rewind:
      return rewind({command.branch, command.step});
    case CommandKind::save:
      return save();
    case CommandKind::load:
      return load(command);
    case CommandKind::estimate:
      estimate(command);
      return Done{};
  }
  return Done{};
}

Result<Session::Impl::Plan> Session::Impl::plan(const std::string& json,
                                                const std::string& material) const {
  Result<RunConfig> config = run_from_json(json);
  if (!config) return config.error();
  Plan plan{std::move(config.value()), material, nullptr, {}};
  // Tables and texts are read once: as long as nothing else is asked for, the task is the same.
  const bool same_task = run_ && run_->config().task == plan.config.task;
  if (same_task && material.empty()) plan.material = run_->material();
  if (same_task && plan.material == run_->material() &&
      json_of(plan.config.task_parameters->properties()) ==
          json_of(run_->config().task_parameters->properties())) {
    plan.task = run_->shared_task();
  } else {
    TaskResult task = make_task(plan.config, plan.material);
    if (!task) return task.error();
    plan.task = std::move(task.value());
  }
  Result<RunSizes> sizes = size_up(plan.config, *plan.task, options_.memory_limit);
  if (!sizes) return sizes.error();
  plan.sizes = sizes.value();
  return plan;
}

Status Session::Impl::begin(Plan plan, const std::function<Status(Trainer&)>& prepare) {
  keep_news();
  // Two of them may not fit beside each other. What could be wrong with the new one was looked at.
  if (run_ && run_->sizes().bytes + plan.sizes.bytes > options_.memory_limit) {
    trial_.reset();
    run_.reset();
    state_ = RunState::empty;
  }
  auto run = LiveRun::create(std::move(plan.config), std::move(plan.material), plan.task,
                             plan.sizes, {options_.memory_limit, options_.history_limit}, prepare);
  if (!run) return run.error();
  trial_.reset();
  run_ = std::move(run.value());
  ++run_number_;
  told_solved_ = exam_suspended_ = look_wanted_ = tell_trial_ = false;
  steps_left_ = 0;
  new_run_ = new_example_ = true;
  tell_attention_ = tell_positions_ = tell_samples_ = tell_stills_ = true;
  error_ = warning_ = {};
  state_ = RunState::paused;
  return Done{};
}

Status Session::Impl::start(const Command& command) {
  Result<Plan> planned = plan(command.text, command.material);
  if (!planned) return planned.error();
  const Status status = begin(std::move(planned.value()), [](Trainer&) { return Status(Done{}); });
  if (!status) return status;
  return command.flag ? play() : Status(Done{});
}

Status Session::Impl::play() {
  if (!run_) return no_run();
  if (run_->finished()) {
    state_ = RunState::finished;
    const std::string steps = std::to_string(run_->trainer().total_steps());
    return Error{"the run has done all its " + steps + " steps: raise steps to go on.",
                 "마지막 스텝까지 학습했습니다. 스텝 수: " + steps +
                     ". 더 학습하려면 스텝 수를 늘려 주십시오."};
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
  if (!run_) return;
  if (state_ == RunState::running) state_ = RunState::paused;
  steps_left_ = 0;
  settle();
  exam_suspended_ = run_->exam_due();
}

void Session::Impl::settle() {
  if (run_->settle()) step_done();
}

Status Session::Impl::pace(double steps_per_second) {
  if (!(steps_per_second >= 0 && steps_per_second <= 1e6)) {
    return Error{"the pace is a number of steps a second: choose one from 0 to 1000000.",
                 "속도는 초당 스텝 수입니다. 0에서 1,000,000 사이의 수를 골라 주십시오."};
  }
  pace_.set(steps_per_second, options_.now());
  speed_.restart(options_.now());
  return Done{};
}

void Session::Impl::watch(std::uint32_t bits) {
  watched_ = bits;
  tell_attention_ = tell_positions_ = tell_samples_ = tell_stills_ = true;
}

Status Session::Impl::retune(const std::string& json) {
  if (!run_) return no_run();
  settle();
  if (const Status status = run_->retune(json); !status) return status;
  if (state_ == RunState::finished && !run_->finished()) state_ = RunState::paused;
  if (state_ == RunState::running && run_->finished()) stop(RunState::finished, "finished");
  return Done{};
}

Status Session::Impl::example(int index) {
  if (!run_) return no_run();
  if (index < 0 || index >= kMostExamples) {
    return Error{"held-out examples are numbered from 0 to 99999: choose one of these.",
                 "검증 예제의 번호는 0에서 99,999까지입니다. 그 안에서 골라 주십시오."};
  }
  settle();
  run_->choose_example(index);
  new_example_ = tell_attention_ = true;
  return Done{};
}

Status Session::Impl::try_input(const Command& command) {
  if (!run_) return no_run();
  trial_ = std::make_unique<Trial>(command, run_->trainer().model(), run_->shared_task());
  tell_trial_ = true;
  return Done{};
}

Status Session::Impl::rewind(Moment moment) {
  if (!run_) return no_run();
  pause();
  keep_news();
  if (const Status status = run_->rewind(moment); !status) return status;
  trial_.reset();
  exam_suspended_ = run_->exam_due();
  state_ = run_->finished() ? RunState::finished : RunState::paused;
  tell_attention_ = tell_positions_ = tell_samples_ = tell_stills_ = true;
  return Done{};
}

// ------------------------------------------------------------------------------------------ files

Status Session::Impl::save() {
  if (!run_) return no_run();
  settle();
  Result<std::vector<std::byte>> bytes = checkpoint_bytes(run_->trainer(), run_->config_json());
  if (!bytes) return bytes.error();
  file_ = std::move(bytes.value());
  file_name_ = std::string(run_->task().info().name) + "-step-" +
               std::to_string(run_->moment().step) + ".safetensors";
  return Done{};
}

Status Session::Impl::load(const Command& command) {
  const Result<Safetensors> file = Safetensors::parse(command.bytes);
  if (!file) return file.error();
  const Result<std::string> config = config_of(file.value());
  if (!config && !run_) {
    return Error{"the file holds weights alone: start a run of their shape first.",
                 "파일에 가중치만 들어 있습니다. 같은 형상의 학습을 먼저 시작해 주십시오."};
  }
  Result<Plan> planned = plan(config ? config.value() : run_->config_json(), command.material);
  if (!planned) return planned.error();
  Sentence warning;
  const Status status = begin(std::move(planned.value()), [&](Trainer& trainer) -> Status {
    if (config && file.value().metadata().contains("trainer")) {
      return load_checkpoint(file.value(), config.value(), trainer);
    }
    const Result<WeightsFit> fit = adopt_weights(file.value(), trainer.model().parameters());
    if (!fit) return fit.error();
    warning = left_out(fit.value());
    return Done{};
  });
  if (!status) return status;
  warning_ = warning;
  run_->add_event(EventKind::loaded, command.text);
  if (run_->finished()) state_ = RunState::finished;
  return Done{};
}

void Session::Impl::estimate(const Command& command) {
  Estimate estimate;
  estimate.id = command.id;
  const Result<Plan> planned = plan(command.text, command.material);
  if (planned) {
    const RunSizes& sizes = planned.value().sizes;
    estimate.parameters = sizes.parameters;
    estimate.bytes = sizes.bytes;
    estimate.flops = sizes.operations;
  } else {
    estimate.problem = sentence_of(planned.error());
  }
  estimate_ = estimate;
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
  if (run_->updating()) return step_piece();
  if (trial_ && !trial_->done()) {
    const RoundedWeights working = run_->trainer().working_weights();
    trial_->advance();
    anything_new_ = tell_trial_ = true;
    return 0;
  }
  if (look_wanted_ || run_->still_due()) {
    run_->advance_look();
    look_wanted_ = look_wanted_ && run_->look_due();
    return 0;
  }
  if (!run_->step_begun() && run_->exam_due() && !exam_suspended_) {
    if (run_->advance_exam()) exam_done();
    return 0;
  }
  if (!run_->step_begun() && watches(kWatchSamples) && run_->samples_due()) {
    run_->advance_samples();
    anything_new_ = true;
    return 0;
  }
  const double wait = step_piece();
  // While nothing else is to be done, what is on the screen is made ready.
  if (wait != 0 && watches(kWatchAttention) && run_->look_due()) {
    run_->advance_look();
    return 0;
  }
  return wait;
}

double Session::Impl::step_piece() {
  if (!run_->step_begun()) {
    if (state_ != RunState::running) return -1;
    const double now = options_.now();
    if (steps_left_ == 0) {
      if (const double wait = pace_.wait(now); wait > 0) return wait;
      pace_.begun(now);
    }
  }
  const Result<bool> done = run_->advance_step();
  if (!done) {
    error_ = sentence_of(done.error());
    stop(RunState::failed, "failed");
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
  if (run_->loss() > kExplodedLoss) {
    const std::string loss = std::to_string(static_cast<long long>(run_->loss()));
    error_ = sentence_of(
        {"the loss has grown to " + loss +
             ": the learning rate is too high. Lower it and start again, or go back in time.",
         "손실이 너무 커졌습니다: " + loss +
             ". 학습률이 너무 높습니다. 낮춘 뒤 처음부터 시작하거나 앞의 시점으로 되감아 "
             "주십시오."});
    stop(RunState::failed, "failed");
  }
}

void Session::Impl::exam_done() {
  anything_new_ = true;
  const bool running = state_ == RunState::running;
  // Whoever asked for so many steps gets them.
  if (running && !told_solved_ && steps_left_ == 0 && run_->perfect_exams() >= kPerfectExams) {
    told_solved_ = true;
    stop(RunState::solved, "solved");
  } else if (run_->finished()) {
    stop(RunState::finished, "finished");
  }
}

void Session::Impl::stop(RunState state, const char* why) {
  state_ = state;
  steps_left_ = 0;
  anything_new_ = true;
  run_->add_event(EventKind::stopped, why);
}

// -------------------------------------------------------------------------------------- snapshots

std::vector<std::byte> Session::Impl::take_snapshot() {
  if (!outbox_.empty()) {
    std::vector<std::byte> oldest = std::move(outbox_.front());
    outbox_.pop_front();
    return oldest;
  }
  if (!anything_new_ || (run_ && run_->updating())) return {};
  if (run_ && watches(kWatchAttention) && tell_attention_ && run_->look_due()) {
    if (!run_->look_is_short()) {
      look_wanted_ = true;
      return {};
    }
    while (run_->look_due()) run_->advance_look();
  }
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
  s.refused = std::exchange(refused_, 0);
  s.estimate = std::exchange(estimate_, {});
  s.error = std::exchange(error_, {});
  s.warning = std::exchange(warning_, {});
  s.history_limit = options_.history_limit;
  anything_new_ = false;
  if (!run_) return s;

  LiveRun::News& news = run_->news();
  s.moment = run_->moment();
  s.total_steps = static_cast<std::uint64_t>(run_->trainer().total_steps());
  s.steps_per_second = state_ == RunState::running ? speed_.per_second(options_.now()) : 0;
  s.weights_hash = run_->weights_hash();
  if (std::exchange(new_run_, false)) add_new_run(s);
  if (s.refused != 0) s.config = run_->config_json();
  s.points = std::exchange(news.points, {});
  s.exams = std::exchange(news.exams, {});
  s.events = std::exchange(news.events, {});
  s.branches = run_->branches();
  s.kept = run_->history().moments();
  s.history_bytes = run_->history().bytes();
  add_watched(s);
  if (std::exchange(tell_trial_, false) && trial_) s.tried = trial_->result();
  s.file = std::exchange(file_, {});
  s.file_name = std::exchange(file_name_, {});
  return s;
}

void Session::Impl::add_new_run(Snapshot& s) const {
  const ModelConfig& model = run_->trainer().model().config();
  s.config = run_->config_json();
  s.task = run_->task().info().name;
  s.vocabulary = model.head == HeadKind::regression ? 0 : model.head_outputs();
  s.parameters = run_->sizes().parameters;
  s.bytes = run_->sizes().bytes;
  s.flops = run_->sizes().operations;
  const Vocabulary& words =
      model.has_encoder() ? run_->task().source_vocabulary() : run_->task().target_vocabulary();
  for (std::string_view word : words.words()) s.known_words.emplace_back(word);
}

void Session::Impl::add_watched(Snapshot& s) {
  LiveRun::News& news = run_->news();
  tell_stills_ = std::exchange(news.stills, false) || tell_stills_;
  tell_samples_ = std::exchange(news.samples, false) || tell_samples_;
  if (std::exchange(new_example_, false)) s.example = run_->example();
  if (watches(kWatchAttention)) {
    if (tell_attention_ && !run_->look_due()) {
      s.attention = run_->attention();
      tell_attention_ = false;
    }
    if (std::exchange(tell_stills_, false)) s.stills = run_->stills();
  }
  if (watches(kWatchPositions) && std::exchange(tell_positions_, false)) {
    s.positions = run_->positions();
  }
  if (watches(kWatchSamples) && !run_->samples_due() && std::exchange(tell_samples_, false)) {
    s.samples = run_->samples();
  }
}

// ------------------------------------------------------------------------------------ the outside

Session::Session(SessionOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Session::~Session() = default;
void Session::receive(std::span<const std::byte> command) { impl_->receive(command); }
double Session::work(double milliseconds) { return impl_->work(milliseconds); }
std::vector<std::byte> Session::take_snapshot() { return impl_->take_snapshot(); }

}  // namespace tp
