#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session/command.h"
#include "engine/session/run_settings.h"

// The settings of the run as a person edits them, beside those that the run goes on with, and the
// commands that bring the two together. Knows no ImGui.

namespace tp::ui {

class RunEditor {
 public:
  RunEditor();

  // Task, preset and everything that the run is made of. Bound to this object.
  Properties properties();
  ConstProperties properties() const;
  RunSettings& draft() { return draft_; }
  const RunSettings& draft() const { return draft_; }
  // What the run goes on with; the draft before there is one.
  const RunSettings& running() const { return running_ ? *running_ : draft_; }
  // As the preset has it.
  const RunSettings& preset() const { return preset_settings_; }

  // A property was changed: what to send. A new task or preset starts a new run, what can change
  // live is told to the run, the rest waits for a restart.
  std::vector<CommandBody> changed(bool playing);
  // Names of the settings that wait for a restart.
  const std::vector<std::string>& waiting() const { return waiting_; }
  bool waits(std::string_view name) const;

  Start start(bool play);
  void new_seed();
  // Back to what the preset has: one setting, or all.
  void reset(std::string_view name);
  void reset_all();
  // The user's own text, for the task that runs with it.
  void set_material(std::string material);

  // The session says what it runs with. `adopt`: the controls follow, as after loading a file.
  void running_with(const std::string& config, bool adopt);
  // It did not take what was started: another task or preset goes back to that of the run that is
  // there; edited settings stay as they are and wait.
  void refused(const std::string& config);
  // There is none to go back to: leaves out what the preset does not have, then the preset, then
  // the task, one each time. Nothing when even what a new visitor gets was refused.
  std::optional<Start> fall_back(bool play);

  std::string_view task_name() const;
  std::string_view preset_name() const;
  // The error says which task the preset is for instead.
  Status fits_task(std::string_view preset) const;

 private:
  void find_waiting();
  void follow_choice();
  void choose(std::string_view task, std::string_view preset);

  int task_ = 0, preset_ = 0;                    // as the controls have them
  int followed_task_ = 0, followed_preset_ = 0;  // what draft_ was made for
  std::string material_, material_task_;
  RunSettings draft_, preset_settings_;
  bool starting_ = false;  // the session has not answered yet
  std::optional<RunSettings> running_;
  int running_preset_ = 0;
  std::vector<std::string> waiting_;
};

}  // namespace tp::ui
