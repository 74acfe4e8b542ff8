#include <algorithm>
#include <set>
#include <utility>

#include "engine/io/property_json.h"
#include "engine/io/safetensors.h"
#include "engine/session/session_impl.h"
#include "engine/session/shown_answer.h"
#include "engine/train/checkpoint.h"

// What a session does when it is told to.

namespace tp {
namespace {

constexpr int kMostExamples = 100'000;

constexpr std::size_t kMostWatched = 4;  // beside the one shown

Error no_such_example() {
  return {"held-out examples are numbered from 0 to 99999: choose one of these.",
          "검증 예제의 번호는 0에서 99,999까지입니다. 그 안에서 골라 주십시오."};
}

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

void Session::Impl::receive(std::span<const std::byte> bytes) {
  anything_new_ = true;
  const Result<Command> command = decode_command(bytes);
  if (!command) {
    error_ = sentence_of(command.error());
    return;
  }
  answered_ = command.value().id;
  const CommandBody& what = command.value().what;
  const Status status = std::visit([this](const auto& typed) { return obey(typed); }, what);
  if (std::holds_alternative<Start>(what) || std::holds_alternative<Retune>(what)) {
    refused_ = status ? 0 : answered_;
  }
  // While there is no run, what was wrong first is why, and all the rest follows from it.
  if (!status && (run_ || error_.empty())) error_ = sentence_of(status.error());
}

Result<Session::Impl::Plan> Session::Impl::plan(const std::string& json,
                                                const std::string& material) const {
  Result<RunConfig> config = run_from_json(json);
  if (!config) return config.error();
  if (const std::size_t limit = options_.material_limit; material.size() > limit) {
    const auto kilobytes = [](std::size_t bytes) {
      return std::to_string((bytes + 1023) / 1024) + " KB";
    };
    return Error{"the text has " + kilobytes(material.size()) + " and a page can take " +
                     kilobytes(limit) + ": give a part of it.",
                 "글이 너무 큽니다. 글의 크기: " + kilobytes(material.size()) +
                     ", 최대: " + kilobytes(limit) + ". 일부만 넣어 주십시오."};
  }
  Plan plan{std::move(config.value()), material, nullptr, {}};
  // Tables and texts are read once: as long as nothing else is asked for, the task is the same.
  const bool same_task = run_ && run_->config().task == plan.config.task;
  if (same_task && material.empty()) plan.material = run_->material();
  const auto sample = find_task(plan.config.task)->sample;
  if (plan.material.empty() && sample != nullptr) plan.material = sample();
  const auto parameters = [](const RunConfig& of) {
    return json_of(std::as_const(*of.task_parameters).properties());
  };
  if (same_task && plan.material == run_->material() &&
      parameters(plan.config) == parameters(run_->config())) {
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
  if (Status status = run.value()->watch(watched_.paths); !status) return status;
  trial_.reset();
  to_explain_.reset();
  explained_.reset();
  run_ = std::move(run.value());
  ++run_number_;
  told_solved_ = exam_suspended_ = look_wanted_ = tell_trial_ = wants_typed_ = false;
  held_out_ = 0;
  steps_left_ = 0;
  new_run_ = new_example_ = true;
  tell_tensors_ = tell_samples_ = tell_stills_ = true;
  error_ = warning_ = {};
  state_ = RunState::paused;
  return Done{};
}

Status Session::Impl::obey(const Start& command) {
  Result<Plan> planned = plan(command.config, command.material);
  if (!planned) return planned.error();
  const std::shared_ptr<const Task> task = planned.value().task;
  const bool newly_read = !run_ || run_->shared_task() != task;
  const Status status = begin(std::move(planned.value()), [](Trainer&) { return Status(Done{}); });
  if (!status) return status;
  if (newly_read && task->warning()) warning_ = sentence_of(*task->warning());
  return command.play ? obey(Play{}) : Status(Done{});
}

Status Session::Impl::obey(const Play&) {
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

Status Session::Impl::obey(const Step& command) {
  if (const Status status = obey(Play{}); !status) return status;
  steps_left_ = std::max(command.count, 1);
  return Done{};
}

Status Session::Impl::obey(const Pause&) {
  pause();
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

Status Session::Impl::obey(const SetPace& command) {
  if (!(command.steps_per_second >= 0 && command.steps_per_second <= 1e6)) {
    return Error{"the pace is a number of steps a second: choose one from 0 to 1000000.",
                 "속도는 초당 스텝 수입니다. 0에서 1,000,000 사이의 수를 골라 주십시오."};
  }
  pace_.set(command.steps_per_second, options_.now());
  speed_.restart(options_.now());
  return Done{};
}

Status Session::Impl::obey(const Watch& command) {
  std::set<int> examples;
  for (const WatchedPath& path : command.paths) {
    if (path.example >= kMostExamples) return no_such_example();
    if (path.example >= 0) examples.insert(path.example);
  }
  if (examples.size() > kMostWatched) {
    return Error{"at most 4 examples can be watched beside the one that is shown: choose fewer.",
                 "보이는 예제 외에 최대 4개의 예제를 지켜볼 수 있습니다. 줄여 주십시오."};
  }
  if (run_) {
    if (Status status = run_->watch(command.paths); !status) return status;
  }
  watched_ = command;
  tell_tensors_ = tell_samples_ = tell_stills_ = true;
  return Done{};
}

Status Session::Impl::obey(const Retune& command) {
  if (!run_) return no_run();
  settle();
  if (const Status status = run_->retune(command.training); !status) return status;
  if (state_ == RunState::finished && !run_->finished()) state_ = RunState::paused;
  if (state_ == RunState::running && run_->finished()) stop(RunState::finished, "finished");
  return Done{};
}

Status Session::Impl::obey(const ChooseExample& command) {
  if (!run_) return no_run();
  if (command.index < kTypedExample || command.index >= kMostExamples) {
    return no_such_example();
  }
  wants_typed_ = command.index == kTypedExample;
  if (wants_typed_) {
    show_typed();
  } else {
    show_example(held_out_ = command.index);
  }
  return Done{};
}

void Session::Impl::show_example(int index) {
  settle();
  run_->choose_example(index);
  new_example_ = tell_tensors_ = true;
}

// What cannot be read cannot be shown: then the held-out example is.
void Session::Impl::show_typed() {
  if (!wants_typed_ || !trial_ || !trial_->done()) return;
  if (!trial_->result().problem.empty()) {
    if (run_->example().index == kTypedExample) show_example(held_out_);
    return;
  }
  Example typed = trial_->answered();
  if (run_->shows_typed(typed)) return;
  settle();
  run_->show_typed(std::move(typed));
  new_example_ = tell_tensors_ = true;
}

Status Session::Impl::obey(const TryInput& command) {
  if (!run_) return no_run();
  begin_trial(answered_, command);
  return Done{};
}

void Session::Impl::begin_trial(std::uint32_t id, const TryInput& command) {
  trial_ = std::make_unique<Trial>(id, command, run_->trainer().model(), run_->shared_task());
  tell_trial_ = true;
  show_typed();
}

Status Session::Impl::obey(const Rewind& command) {
  if (!run_) return no_run();
  pause();
  keep_news();
  if (const Status status = run_->rewind({command.branch, command.step}); !status) return status;
  // What was tried is answered again, by the model of that moment.
  if (trial_) begin_trial(trial_->result().id, TryInput(trial_->command()));
  exam_suspended_ = run_->exam_due();
  state_ = run_->finished() ? RunState::finished : RunState::paused;
  tell_tensors_ = tell_samples_ = tell_stills_ = true;
  return Done{};
}

// ------------------------------------------------------------------------------------------ files

Status Session::Impl::obey(const Save&) {
  if (!run_) return no_run();
  settle();
  Result<std::vector<std::byte>> bytes =
      checkpoint_bytes(run_->trainer(), run_->config_json(), run_->material());
  if (!bytes) return bytes.error();
  file_ = std::move(bytes.value());
  file_name_ = std::string(run_->task().info().name) + "-step-" +
               std::to_string(run_->moment().step) + ".safetensors";
  return Done{};
}

Status Session::Impl::obey(const Load& command) {
  const Result<Safetensors> file = Safetensors::parse(command.bytes);
  if (!file) return file.error();
  const Result<std::string> config = config_of(file.value());
  if (!config && !run_) {
    return Error{"the file holds weights alone: start a run of their shape first.",
                 "파일에 가중치만 들어 있습니다. 같은 형상의 학습을 먼저 시작해 주십시오."};
  }
  Result<Plan> planned =
      plan(config ? config.value() : run_->config_json(), material_of(file.value()));
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
  run_->add_event(EventKind::loaded, command.name);
  if (run_->finished()) state_ = RunState::finished;
  return Done{};
}

Status Session::Impl::obey(const Explain& command) {
  if (!run_) return no_run();
  to_explain_ = command;
  explain_id_ = answered_;
  run_->begin_explaining();
  return Done{};
}

Status Session::Impl::obey(const EstimateRun& command) {
  Estimate estimate;
  estimate.id = answered_;
  const Result<Plan> planned = plan(command.config, {});
  if (planned) {
    const RunSizes& sizes = planned.value().sizes;
    estimate.parameters = sizes.parameters;
    estimate.bytes = sizes.bytes;
    estimate.flops = sizes.operations;
  } else {
    estimate.problem = sentence_of(planned.error());
  }
  estimate_ = estimate;
  return Done{};
}

}  // namespace tp
