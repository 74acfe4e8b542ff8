#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "imgui_app/model/diagnosis.h"

// Where to go from a run that has come to its end: experiments that change one thing, each with a
// prediction first, and other tasks. Knows no ImGui.

namespace tp::ui {

// In the order of the buttons.
enum class Expectation { as_well, trouble, fails };

struct NextThing {
  Text label = {};             // {0} is the name of `task`
  Text lesson = {};            // what there is to learn from it
  SettingValues changes = {};  // of the run that it is compared with
  std::string task = {};       // not empty: another task, and no experiment
};

class Experiments {
 public:
  // Three things that fit a run with these settings.
  std::vector<NextThing> offers(const RunSettings& now) const;

  // The experiment that waits for a prediction.
  const std::optional<NextThing>& asked() const { return asked_; }
  void ask(NextThing thing, const RunView& run, const RunSettings& now);
  void forget_question() { asked_.reset(); }
  // The prediction is made: the settings that the experiment starts with.
  SettingValues begin(Expectation expected, const RunView& run);

  // The one that was begun last, while the run is its own.
  struct Begun {
    NextThing thing;
    Expectation expected = {};
    std::uint32_t after = 0;  // the run in which it was begun
  };
  const std::optional<Begun>& begun() const { return begun_; }
  // Forgets what no longer belongs to the run.
  void follow(const RunView& run, const RunSettings& now);
  // What came of it, once that can be said.
  std::optional<Expectation> outcome(const RunView& run, const Diagnosis& diagnosis) const;

 private:
  // What it is compared with: the run before the first of a row of experiments.
  struct Reference {
    std::string config;  // JSON
    double steps = 0;    // to the solution; 0: there was none
    double loss = 0;     // held-out, at the end
  };
  std::optional<NextThing> asked_;
  std::optional<Begun> begun_;
  std::optional<Reference> reference_;
};

}  // namespace tp::ui
