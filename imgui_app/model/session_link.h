#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/session/command.h"
#include "engine/session/snapshot.h"
#include "imgui_app/model/run_editor.h"
#include "imgui_app/model/run_view.h"
#include "imgui_app/model/settings.h"

namespace tp::ui {

// Adds what another part of the page watches.
void watch_too(Watch& all, const Watch& more);

// The app's end of its conversation with the session: what is sent when, and what becomes of what
// arrives. Knows no ImGui and no window.
class SessionLink {
 public:
  using Send = std::function<void(std::vector<std::byte>)>;
  explicit SessionLink(Send send) : send_(std::move(send)) {}

  const RunView& run() const { return run_; }
  RunView& run() { return run_; }
  const RunEditor& editor() const { return editor_; }
  RunEditor& editor() { return editor_; }

  // Starts the first run. Before that nothing is sent: a link is being applied.
  void begin(bool play);
  void send(CommandBody what);
  // Ids of commands: the last one sent, and whether the effect of one has arrived.
  std::uint32_t sent() const { return sent_; }
  bool answered(std::uint32_t id) const { return !begun_ || run_.now().answered >= id || failed_; }
  // The session could not be started, or died: nothing will be answered.
  void fail() { failed_ = true; }

  // The editor's settings were changed.
  void settings_changed();
  void start(std::string_view task, std::string_view preset, bool play);
  void restart(bool play) { send(editor_.start(play)); }
  // Play, pause or step, because a person wants it.
  void drive(CommandBody what);
  // To the saved moment before or after the one shown, on its branch.
  void rewind_by(int places);
  // To the end of the branch that the one shown grew from.
  void rewind_to_parent();
  // The page was hidden, or is seen again.
  void seen(bool visible, bool keep_training);

  // Sends what changed of the page: its settings, and what it watches. Time in milliseconds.
  void tell(const Settings& settings, const Watch& watch, double time);
  // Clears what was typed for another task than the one that runs now.
  void take(Snapshot snapshot, TrySettings& attempt, double time);

  // A model or a text of the user's; false when it is neither. The controls follow when the session
  // has taken it; what it refuses changes nothing.
  bool load_file(std::string_view name, std::vector<std::byte> bytes);
  // Asks for the file of the run as it is, to be there after a reload.
  void request_keeping();
  // What the last snapshot brought for that, once; empty when there is none.
  std::vector<std::byte> take_kept_file() { return std::exchange(kept_file_, {}); }
  // A file for the person, once.
  struct SavedFile {
    std::string name;
    std::vector<std::byte> bytes;
  };
  std::optional<SavedFile> take_saved_file() { return std::exchange(saved_file_, std::nullopt); }

 private:
  void send_all(std::vector<CommandBody> commands);
  void try_input(const TrySettings& attempt, double time, bool again);
  void settings_arrived(const std::string& config, std::uint32_t refused, bool is_new, bool adopt);

  Send send_;
  RunEditor editor_;
  RunView run_;
  bool begun_ = false, failed_ = false;
  bool plays_by_itself_ = false;
  bool rests_ = false;         // paused because the page is hidden
  std::uint32_t sent_ = 0;     // id of the last command
  std::uint32_t started_ = 0;  // of the last that starts a run
  std::uint32_t keeping_ = 0;  // the save whose file stays here
  std::uint32_t adopt_ = 0;    // the file that the controls follow once it runs
  std::vector<std::byte> kept_file_;
  std::optional<SavedFile> saved_file_;
  struct Told {  // what the session was told last
    double pace = -1;
    std::optional<Watch> watch;
    int example = 0;
    TrySettings attempt;
  };
  Told told_;
  std::uint32_t tries_ = 0;  // the seed of the next one
  double tried_at_ = 0;
  std::string typed_for_;  // the task that the input is for
};

}  // namespace tp::ui
