#include "engine/session/session.h"

#include <utility>

#include "engine/session/session_impl.h"
#include "engine/session/shown_answer.h"

namespace tp {
namespace {

// No model that learns has such a loss: a guess among all tokens has about 4.
constexpr double kExplodedLoss = 10'000;

// In a row, and the task counts as solved.
constexpr int kPerfectExams = 3;

}  // namespace

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
  if (to_explain_) {
    explain_piece();
    return 0;
  }
  if (trial_ && !trial_->done()) {
    const RoundedWeights working = run_->trainer().working_weights();
    trial_->advance(run_->moment());
    anything_new_ = tell_trial_ = true;
    if (trial_->done()) show_typed();
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
  if (!run_->step_begun() && watched_.samples && run_->samples_due()) {
    run_->advance_samples();
    anything_new_ = true;
    return 0;
  }
  const double wait = step_piece();
  // While nothing else is to be done, what is on the screen is made ready.
  if (wait != 0 && run_->look_due()) {
    run_->advance_look();
    return 0;
  }
  return wait;
}

void Session::Impl::explain_piece() {
  explained_ = run_->advance_explaining(*to_explain_);
  if (!explained_) return;
  explained_->id = explain_id_;
  to_explain_.reset();
  anything_new_ = true;
}

double Session::Impl::step_piece() {
  if (!run_->step_begun()) {
    if (state_ != RunState::running) return -1;
    const double now = options_.now();
    if (steps_left_ == 0) {
      if (const double wait = pace_.wait(now); wait > 0) return wait;
      pace_.begun(now);
    }
    step_began_ = now;
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
  tell_tensors_ = true;
  const double now = options_.now();
  run_->tell_step((now - step_began_) / 1000);
  speed_.step_done(now);
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
  // A counted number of steps is always completed.
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
  if (run_ && tell_tensors_ && run_->look_due()) {
    if (!run_->look_is_short()) {
      look_wanted_ = true;
      return {};
    }
    while (run_->look_due()) run_->advance_look();
  }
  return encode(build_snapshot());
}

void Session::Impl::keep_news() {
  if (!run_ || !run_->news().has_points()) return;
  Snapshot last = build_snapshot();
  --last.answered;  // the command that ends this run has no effect yet
  outbox_.push_back(encode(last));
  anything_new_ = true;  // what the command does
}

Snapshot Session::Impl::build_snapshot() {
  Snapshot s;
  s.run = run_number_;
  s.state = state_;
  s.answered = answered_;
  s.refused = std::exchange(refused_, 0);
  s.estimate = std::exchange(estimate_, {});
  s.explained = std::exchange(explained_, {});
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
  s.events = std::exchange(news.events, {});
  s.branches = run_->branches();
  s.kept = run_->history().moments();
  s.history_bytes = run_->history().bytes();
  add_watched(s);
  news.series.tell(s);
  if (std::exchange(tell_trial_, false) && trial_) s.tried = trial_->result();
  s.file = std::exchange(file_, {});
  s.file_name = std::exchange(file_name_, {});
  return s;
}

void Session::Impl::add_new_run(Snapshot& s) const {
  const ModelConfig& model = run_->trainer().model().config();
  s.config = run_->config_json();
  s.material = run_->material();
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
  if (run_->watches() && tell_tensors_ && !run_->look_due()) {
    s.tensors = run_->tensors();
    run_->tell_tensors(s.tensors);
    tell_tensors_ = false;
  }
  if (watched_.stills && std::exchange(tell_stills_, false)) s.stills = run_->stills();
  if (watched_.samples && !run_->samples_due() && std::exchange(tell_samples_, false)) {
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
