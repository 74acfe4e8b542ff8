#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/session/session.h"
#include "tests/subjects/series_points.h"
#include "tests/subjects/small_run.h"

namespace tp::test {

// What the page's panels watch.
inline constexpr unsigned kAttention = 1, kPositions = 2, kSamples = 4;

// A session in the hands of a test, with a clock that goes on when it is told to.
class Driver {
 public:
  explicit Driver(SessionOptions options = {}) : session_(with_clock(std::move(options))) {}

  std::uint32_t send(CommandBody what) {
    session_.receive(encode(Command{++last_id_, std::move(what)}));
    return last_id_;
  }
  void start(RunConfig run, bool play = false, std::string material = {}) {
    send(Start{json_of(run), std::move(material), play});
  }
  void play() { send(Play{}); }
  void pause() { send(Pause{}); }
  void step(int count = 1) { send(Step{count}); }
  void pace(double number) { send(SetPace{number}); }
  void watch(unsigned shown) {
    Watch watch;
    if ((shown & kAttention) != 0) watch.paths.push_back({"*.head.*.weights"});
    if ((shown & kPositions) != 0) watch.paths.push_back({"*_pos.weight"});
    watch.stills = (shown & kAttention) != 0;
    watch.samples = (shown & kSamples) != 0;
    send(std::move(watch));
  }

  // As much as there is to do without time going on. What was told along the way is joined.
  Snapshot settle(int most_pieces = 1'000'000) {
    for (int i = 0; i < most_pieces && session_.work(0) == 0; ++i) {
    }
    return take();
  }
  // Until that step of the shown branch, or until there is nothing more to do.
  Snapshot run_to(std::uint64_t step) {
    for (int i = 0; i < 10'000'000; ++i) {
      if (session_.work(0) != 0) break;
      if (take().moment.step >= step) break;
    }
    return take();
  }
  // Everything new; lists of earlier snapshots of the same run are continued.
  const Snapshot& take();
  const Snapshot& last() const { return joined_; }

  Session& session() { return session_; }
  double now = 0;

 private:
  SessionOptions with_clock(SessionOptions options) {
    options.now = [this] { return now; };
    return options;
  }

  Session session_;
  std::uint32_t last_id_ = 0;
  Snapshot joined_;
};

inline const Snapshot& Driver::take() {
  for (;;) {
    const std::vector<std::byte> bytes = session_.take_snapshot();
    if (bytes.empty()) return joined_;
    Result<Snapshot> decoded = decode_snapshot(bytes);
    TP_CHECK(decoded.ok(), "a snapshot that cannot be read");
    // Errors and files are told once; a test reads them later.
    const bool same_run = decoded.value().run == joined_.run;
    Snapshot before = std::move(joined_);
    joined_ = before;
    merge(joined_, std::move(decoded.value()));
    if (same_run && joined_.error.empty()) joined_.error = std::move(before.error);
    if (same_run && joined_.file.empty()) joined_.file = std::move(before.file);
  }
}

// Solved in a second: four letters, always as many.
inline RunConfig quick_run() {
  RunConfig run = small_run();
  TP_CHECK(set_by_name(run.task_parameters->properties(), "min_length", "4").ok(), "a setting");
  TP_CHECK(set_by_name(run.task_parameters->properties(), "max_length", "4").ok(), "a setting");
  run.model.d_model = 32;
  run.model.d_ff = 64;
  run.model.encoder_layers = run.model.decoder_layers = 1;
  run.train.batch = 32;
  run.train.learning_rate = 5e-3;
  run.train.warmup = 30;
  run.train.steps = 600;
  run.train.eval_every = 20;
  run.train.eval_size = 100;
  return run;
}

inline RunConfig first_look() {
  RunConfig run = std::move(default_run("reverse").value());
  TP_CHECK(apply_preset("first-look", run).ok(), "the preset is there");
  return run;
}

}  // namespace tp::test
