#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session/snapshot.h"
#include "imgui_app/model/attention_choice.h"
#include "imgui_app/model/class_names.h"

// Everything the user interface knows of the runs, put together from snapshots. Knows no ImGui.

namespace tp::ui {

struct SeriesPoint {
  std::uint64_t step;
  double value;
  bool operator==(const SeriesPoint&) const = default;
};

// The curves of one branch.
struct BranchCurves {
  Branch branch = {};
  std::map<std::string, std::vector<SeriesPoint>, std::less<>> series = {};  // by name
  std::vector<CurveEvent> events = {};

  const std::vector<SeriesPoint>& line(std::string_view name) const;  // empty: not measured
};

// A run with its branches. The newest is the one shown; the others are ghosts.
struct RunCurves {
  std::uint32_t run = 0;
  std::string task;
  std::string config;                         // JSON
  std::string measure = {};                   // runs whose numbers mean the same have the same
  std::vector<std::string> differences = {};  // to the last one of the same measure:
                                              // "learning_rate 0.002 → 0.001"
  std::vector<BranchCurves> branches = {};
};

// How far the run is, for the story line.
enum class Phase { guessing, noticing, finding, getting_right, solved };

class RunView {
 public:
  void take(Snapshot snapshot);
  // What is a word in the answers is one of that language.
  void speak(Language language) { name_classes(now_, language); }

  // The newest snapshot, with everything that a snapshot leaves out when it did not change.
  const Snapshot& now() const { return now_; }
  bool running() const { return now_.state == RunState::running; }
  // The attention that is watched. Grows whenever it, the stills or the example changed:
  const std::vector<AttentionLayer>& attention() const { return attention_; }
  int maps_version() const { return maps_version_; }

  const std::vector<RunCurves>& runs() const { return runs_; }  // oldest first
  // Grows whenever a curve, a branch, an event or the list of runs changed.
  int curves_version() const { return curves_version_; }
  void forget_ghosts();
  const BranchCurves* branch(std::int32_t id) const;  // of the newest run
  // Of the list in engine/train/series_list.h: the names that the line shown has, in the list's
  // order. The line is the branch shown with those it grew from, up to where each was left.
  std::vector<std::string> series() const;
  std::vector<SeriesPoint> line(std::string_view name) const;
  // The newest at the moment shown.
  std::optional<SeriesPoint> point_now(std::string_view name) const;
  double value_now(std::string_view name) const;  // or not a number
  Phase phase() const;
  // The step at which the run was solved; 0: not yet.
  std::uint64_t solved_at() const { return solved_at_; }
  // Matrix products a second on this machine: a typical figure until faster was seen.
  double flops_per_second() const { return flops_per_second_; }

  // step,loss,... with the names of the command line's metrics.csv, in the same order.
  std::string csv() const;

 private:
  RunCurves& newest() { return runs_.back(); }
  BranchCurves& curves_of(std::int32_t branch);
  // Calls visit(curves, last step that counts) for the branch shown and those it grew from, the
  // newest first.
  template <class Visit>
  void for_each_ancestor(Visit visit) const;

  Snapshot now_;
  std::vector<RunCurves> runs_;
  std::vector<AttentionLayer> attention_;
  int maps_version_ = 0, curves_version_ = 0;
  std::uint64_t solved_at_ = 0;
  double flops_per_second_ = 8e9;
};

inline constexpr double kSolved = 0.99;
inline constexpr std::size_t kMostRuns = 6;
inline constexpr std::size_t kMostPoints =
    20'000;  // of a branch's series; a longer one gets thinner

}  // namespace tp::ui
