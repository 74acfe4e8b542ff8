#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/held_out_watch.h"
#include "cli/json_output.h"
#include "cli/lockstep.h"
#include "cli/progress.h"
#include "cli/resume.h"
#include "cli/run_folder.h"
#include "cli/run_settings.h"
#include "cli/run_tokenizers.h"
#include "cli/stop_signal.h"
#include "cli/tensor_watch.h"
#include "cli/textbook_step.h"
#include "cli/training_log.h"
#include "engine/io/file.h"
#include "engine/io/parameters_file.h"
#include "engine/kernels/parallel.h"
#include "engine/text/tokenizer.h"
#include "engine/train/checkpoint_folder.h"

namespace tp::cli {
namespace {

constexpr Flag kFlags[] = {
    {"task", "T", "what to learn: see tp tasks"},
    {"out", "DIR", "where the files of the run go"},
    {"preset", "P", "a set of settings, see below"},
    {"config", "FILE.json", "settings from a file; flags come on top"},
    {"data", "FILE", "your own text, for tasks that take one"},
    {"tokenizer", "FILE", "a tokenizer.json of your own, for pairs and text"},
    {"resume", "", "go on with the run in DIR"},
    {"from", "DIR", "start from another run's weights, or from a .safetensors file"},
    {"kernels", "SET", "reference, fast or both in lock-step (fast)"},
    {"implementation", "I", "engine, textbook (slow, to be read) or both in lock-step (engine)"},
    {"threads", "N", "that share the work; no result depends on it (1)"},
    {"stop-at", "N", "stop after step N, as Ctrl-C would; --resume goes on"},
    {"stop-when", "STATE",
     "stop when solved (3 exams with 99% right) or stalled (10 without progress)"},
    {"watch", "PATTERN:STATISTIC",
     "a series of each such tensor, as in 'decoder.*.weights:entropy'; may be repeated", true},
    {"best", "", "keep the weights of the best exam, too: in DIR/best.safetensors"},
    {"json", "", "a line of JSON for each step, and one at the end"},
    {"checkpoint-every", "N", "steps (500)"},
    {"keep", "N", "checkpoints to keep (2)"},
};

enum class KernelChoice { reference, fast, both };
enum class Implementation { engine, textbook, both };

struct Options {
  KernelChoice kernels = KernelChoice::fast;
  Implementation implementation = Implementation::engine;
  int threads = 1;
  int stop_at = 0;  // 0: at the end
  StopWhen stop_when = StopWhen::never;
  bool json = false;
  int checkpoint_every = 500;
  int keep = 2;
};

Result<Options> options_of(const Arguments& arguments) {
  Options options;
  for (const Property& property :
       {choice("kernels", options.kernels, {"reference", "fast", "both"}),
        choice("implementation", options.implementation, {"engine", "textbook", "both"}),
        integer("threads", options.threads, 1, kMostThreads),
        integer("stop_at", options.stop_at, 1, 100'000'000),
        choice("stop_when", options.stop_when, {"never", "solved", "stalled"}),
        integer("checkpoint_every", options.checkpoint_every, 1, 100'000'000),
        integer("keep", options.keep, 1, 1000)}) {
    if (Status status = arguments.read(property); !status) return status.error();
  }
  options.json = arguments.has("json");
  if (options.json && options.kernels == KernelChoice::both) {
    return Error{"--kernels both prints a table and --json does not: leave one of them out."};
  }
  if (options.json && options.implementation == Implementation::both) {
    return Error{
        "--implementation both prints a table and --json does not: leave one of them out."};
  }
  if (options.kernels == KernelChoice::both && options.implementation != Implementation::engine) {
    return Error{"--kernels both compares the engine with itself: leave --implementation out."};
  }
  if (arguments.has("resume") && arguments.has("from")) {
    return Error{"--resume goes on with a run and --from starts one: leave one of them out."};
  }
  if (arguments.has("resume") && arguments.has("data")) {
    return Error{"a run keeps its own copy of its text: leave --data out when you resume."};
  }
  if (arguments.has("resume") && arguments.has("tokenizer")) {
    return Error{"a run keeps its tokenizer: leave --tokenizer out when you resume."};
  }
  return options;
}

// What is said beside the results: where these are JSON, not among them.
std::FILE* beside(const Options& options) { return options.json ? stderr : stdout; }

// As one word of a command line.
std::string shell_quoted(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-";
  if (!text.empty() && text.find_first_not_of(kPlain) == text.npos) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

// Weights of another run, and what did not fit.
Status start_from(const std::string& path, Trainer& trainer, std::FILE* out) {
  const bool is_file = path.ends_with(".safetensors");
  const Result<Safetensors> file = Safetensors::read(is_file ? path : RunFolder(path).model());
  if (!file) return file.error();
  const Result<WeightsFit> fit = adopt_weights(file.value(), trainer.model().parameters());
  if (!fit) return Error{"'" + path + "': " + fit.error().message};
  std::fprintf(out, "from %s: %d tensors taken over\n", path.c_str(), fit.value().loaded);
  for (const std::string& name : fit.value().left_out) {
    std::fprintf(out, "  starts anew: %s\n", name.c_str());
  }
  for (const std::string& name : fit.value().unused) {
    std::fprintf(out, "  not used: %s is not in this model\n", name.c_str());
  }
  return Done{};
}

class TrainingRun {
 public:
  TrainingRun(const RunFolder& folder, SavedRun& run, const Options& options, Trainer& trainer,
              std::optional<Lockstep> lockstep, std::unique_ptr<TensorWatch> tensors,
              bool keep_best)
      : folder_(folder),
        config_(json_of(run.config)),
        options_(options),
        checkpoints_(folder.checkpoints(), options.keep),
        trainer_(trainer),
        watch_(folder, options.stop_when, keep_best),
        lockstep_(std::move(lockstep)),
        tensors_(std::move(tensors)) {}

  // To the end, to a request to stop, or to an error that leaves the last good state on the disk.
  Status run() {
    Result<TrainingLog> log = TrainingLog::open(folder_, trainer_, tensors_.get());
    if (!log) return log.error();
    Status status = checkpoints_.save(trainer_, config_);
    if (status) status = steps(log.value());
    if (Status saved = save(); status && !saved) return saved;
    return status;
  }

  // What the program exits with: a run that was told to stop says by which signal, as shells do.
  int code() const {
    return trainer_.finished() || stop_signal() == 0 ? kFine : 128 + stop_signal();
  }

  void print_end() const {
    char weights[24];
    std::snprintf(weights, sizeof weights, "%016" PRIx64, trainer_.weights_hash());
    if (options_.json) {
      JsonLine line;
      line.count("steps", trainer_.state().steps).truth("finished", trainer_.finished());
      if (const std::string why = watch_.reason(); !why.empty()) line.text("stopped", why);
      line.text("weights", weights).print();
      return;
    }
    if (!trainer_.finished()) {
      const std::string why = watch_.reason();
      std::printf("stopped after step %" PRIu64 "%s%s%s: go on with --resume\n",
                  trainer_.state().steps, why.empty() ? "" : " (", why.c_str(),
                  why.empty() ? "" : ")");
    }
    if (lockstep_) lockstep_->print(trainer_);
    print_next();
    std::printf("weights %s\n", weights);
  }

 private:
  // What a person may want to do with the run, in lines that can be copied.
  void print_next() const {
    Example example;
    trainer_.task().sample(Split::held_out, kExamSeed, 0, example);
    const std::string folder = shell_quoted(folder_.path());
    std::printf("next: tp eval --model %s\n      tp decode --model %s --input %s\n", folder.c_str(),
                folder.c_str(), shell_quoted(trainer_.task().source_text(example)).c_str());
  }

  bool must_stop() const {
    const auto done = trainer_.state().steps;
    return trainer_.finished() || stop_signal() != 0 || !watch_.reason().empty() ||
           (options_.stop_at > 0 && done >= static_cast<std::uint64_t>(options_.stop_at));
  }

  Result<StepMetrics> take_step() {
    const bool read = options_.implementation == Implementation::textbook;
    return read ? textbook_step(trainer_) : trainer_.step();
  }

  Status steps(TrainingLog& log) {
    using Clock = std::chrono::steady_clock;
    Progress progress(trainer_.state().steps, trainer_.total_steps());
    while (!must_stop()) {
      const Clock::time_point start = Clock::now();
      const Result<StepMetrics> step = take_step();
      if (!step) return step.error();
      const double seconds =
          std::max(std::chrono::duration<double>(Clock::now() - start).count(), 1e-9);
      const auto is_due = [&](int every) {
        return step.value().step % static_cast<std::uint64_t>(every) == 0;
      };
      std::optional<Evaluation> exam;
      if (is_due(trainer_.config().eval_every) || trainer_.finished()) exam = trainer_.evaluate();
      const Evaluation* measured = exam ? &*exam : nullptr;
      if (exam) {
        if (Status status = watch_.add(*exam, trainer_, config_); !status) return status;
      }
      if (Status status = log.add(step.value(), seconds, measured); !status) return status;
      if (lockstep_) {
        if (Status status = lockstep_->follow(trainer_); !status) return status;
      }
      if (options_.json) {
        JsonLine line;
        line.count("step", step.value().step);
        for (const SeriesValue& value : log.newest()) line.number(value.name, value.value);
        line.print();
      } else {
        progress.show(step.value(), measured);
      }
      if (is_due(options_.checkpoint_every)) {
        if (Status status = checkpoints_.save(trainer_, config_); !status) return status;
      }
    }
    return Done{};
  }

  Status save() const {
    if (Status status = checkpoints_.save(trainer_, config_); !status) return status;
    return save_parameters(folder_.model(), trainer_.model().parameters(),
                           {{"format", "pt"}, {"config", config_}});
  }

  RunFolder folder_;
  std::string config_;
  Options options_;
  CheckpointFolder checkpoints_;
  Trainer& trainer_;
  HeldOutWatch watch_;
  std::optional<Lockstep> lockstep_;
  std::unique_ptr<TensorWatch> tensors_;
};

Trainer::KernelSet leading_kernels(KernelChoice choice) {
  return choice == KernelChoice::reference ? reference_kernels_for : fast_kernels_for;
}

int train(const RunFolder& folder, SavedRun& run, bool resume, const Arguments& arguments,
          const Options& options) {
  const TaskKind kind = run.task->info().kind;
  if (options.stop_when == StopWhen::solved &&
      (kind == TaskKind::decoder_only || kind == TaskKind::patch_regressor)) {
    return wrong_usage({"the task " + run.config.task +
                        " has no answers that are right or wrong: choose --stop-when stalled."});
  }
  if (options.implementation != Implementation::engine) {
    if (Status status = textbook_can_train(run.config.train); !status) {
      return wrong_usage(status.error());
    }
  }
  set_threads(options.threads);
  auto made = Trainer::create(run.task, run.config.model, run.config.train,
                              leading_kernels(options.kernels), kMemoryLimit);
  if (!made) return wrong_usage(made.error());
  Trainer& trainer = *made.value();
  auto tensors = TensorWatch::create(arguments.all("watch"), run.task, trainer);
  if (!tensors) return wrong_usage(tensors.error());
  const CheckpointFolder checkpoints(folder.checkpoints(), options.keep);
  std::optional<FolderLock> lock;  // until the run has ended
  if (resume) {
    Result<FolderLock> taken = FolderLock::take(folder.path());
    if (!taken) return failed(taken.error());
    lock.emplace(std::move(taken.value()));
    remove_partial_files(folder.path());
    remove_partial_files(folder.checkpoints());
  }
  if (resume && !checkpoints.list().empty()) {
    const auto unreadable = checkpoints.resume(json_of(run.config), trainer);
    if (!unreadable) return failed(unreadable.error());
    for (const Error& error : unreadable.value()) warn_of_older(error);
    std::fprintf(beside(options), "resumed after step %" PRIu64 "\n", trainer.state().steps);
    std::fflush(stdout);  // where it is a file, a killed run would leave nothing of it
  }
  if (const auto from = arguments.find("from")) {
    if (Status status = start_from(*from, trainer, beside(options)); !status)
      return failed(status.error());
  }
  if (resume) {
    Status status = write_text(folder.config(), json_of(run.config));
    if (status) status = write_tokenizers(folder.path(), *run.task);  // earlier versions had none
    if (!status) return failed(status.error());
  } else {
    Result<FolderLock> taken = folder.begin(run.config, run.material, *run.task);
    if (!taken) return failed(taken.error());
    lock.emplace(std::move(taken.value()));
  }
  std::optional<Lockstep> lockstep;
  const bool both_implementations = options.implementation == Implementation::both;
  if (options.kernels == KernelChoice::both || both_implementations) {
    auto pair =
        Lockstep::create(trainer, run.task, run.config.model,
                         both_implementations ? Lockstep::kTextbook : Lockstep::kReferenceKernels);
    if (!pair) return failed(pair.error());
    lockstep = std::move(pair.value());
  }
  watch_for_stop();
  TrainingRun training(folder, run, options, trainer, std::move(lockstep),
                       std::move(tensors.value()), arguments.has("best"));
  if (Status status = training.run(); !status) return failed(status.error());
  training.print_end();
  return training.code();
}

int resume_run(const RunFolder& folder, const Arguments& arguments, const Options& options) {
  Result<SavedRun> saved = read_run(folder);
  if (!saved) return failed(saved.error());
  if (Status status = apply_to_resumed(arguments, folder.path(), saved.value()); !status) {
    return failed(status.error());
  }
  return train(folder, saved.value(), true, arguments, options);
}

// --tokenizer, or that of the run to start from where it learned the same task: its weights mean
// those tokens. Null where neither is.
Result<TaskTokenizers> chosen_tokenizers(const Arguments& arguments, std::FILE* out,
                                         RunConfig& run) {
  Result<TaskTokenizers> tokenizers = TaskTokenizers{};
  if (const auto file = arguments.find("tokenizer")) {
    tokenizers = read_tokenizer(*file);
  } else if (const auto from = arguments.find("from"); from && !from->ends_with(".safetensors")) {
    const Result<std::string> text = read_text(RunFolder(*from).config());
    const Result<RunConfig> other = text ? run_from_json(text.value()) : text.error();
    const bool learns = find_property(run.task_parameters->properties(), "tokens") != nullptr;
    if (!other || other.value().task != run.task || !learns) return tokenizers;
    tokenizers = read_tokenizers(*from);
    if (tokenizers && tokenizers.value().reads) {
      std::fprintf(out, "from %s: its tokenizer, of %d tokens\n", from->c_str(),
                   tokenizers.value().reads->size());
    }
  }
  if (!tokenizers || !tokenizers.value().reads) return tokenizers;
  if (Status status = use_tokenizers(tokenizers.value(), run); !status) return status.error();
  return tokenizers;
}

int new_run(const RunFolder& folder, const Arguments& arguments, const Options& options) {
  Result<RunConfig> config = run_from_arguments(arguments);
  if (!config) return wrong_usage(config.error());
  if (Status status = folder.check_free(); !status) return failed(status.error());
  const Result<TaskTokenizers> tokenizers =
      chosen_tokenizers(arguments, beside(options), config.value());
  if (!tokenizers) return failed(tokenizers.error());
  Result<std::string> material = material_of(arguments, config.value());
  if (!material) return failed(material.error());
  Result<std::shared_ptr<const Task>> task =
      task_of(config.value(), material.value(), tokenizers.value());
  if (!task) return failed(task.error());
  print_notes(*task.value(), beside(options));
  SavedRun run{std::move(config.value()), std::move(material.value()), task.value()};
  return train(folder, run, false, arguments, options);
}

int run(const Arguments& arguments) {
  const Result<Options> options = options_of(arguments);
  if (!options) return wrong_usage(options.error());
  const Result<std::string> out = arguments.required("out");
  if (!out) return wrong_usage(out.error());
  const RunFolder folder(out.value());
  return arguments.has("resume") ? resume_run(folder, arguments, options.value())
                                 : new_run(folder, arguments, options.value());
}

}  // namespace

const Command kTrainCommand = {
    "train",
    "trains a model and leaves its files in a folder",
    "tp train --task reverse --preset small --steps 2000 --seed 7 --out runs/reverse",
    kFlags,
    Settings::run,
    run};

}  // namespace tp::cli
