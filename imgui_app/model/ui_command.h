#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "imgui_app/strings/strings.h"

// What a person or a script asks of the app: one struct for each command, and one table of their
// names. Buttons, keys, playground.command() and the table in docs/ARCHITECTURE.md come from it.

namespace tp::ui {

using SettingValues = std::vector<std::pair<std::string, std::string>>;  // name, value

// Visits the arguments of a command. read_command() fills them from JSON.
class ArgumentVisitor {
 public:
  enum class Need { kRequired, kOptional };
  virtual ~ArgumentVisitor() = default;
  virtual void whole(std::string_view name, int& value, Need need = Need::kRequired) = 0;
  virtual void number(std::string_view name, double& value) = 0;
  virtual void text(std::string_view name, std::string& value) = 0;
  // `name` and `value`, or `values` with several of them.
  virtual void settings(SettingValues& values) = 0;
};

namespace ui_command {

struct Play {};
struct Pause {};
struct Step {};
struct Reset {};
struct NewSeed {};
struct Slower {};
struct Faster {};
struct Earlier {};
struct Later {};
struct ParentBranch {};
struct ShowPanel {
  int number = 1;  // counts from 1
  void arguments(ArgumentVisitor& v) { v.whole("number", number); }
  bool operator==(const ShowPanel&) const = default;
};
struct Tour {
  int step = -1;  // counts from 1; -1: opens or closes it
  void arguments(ArgumentVisitor& v) { v.whole("step", step, ArgumentVisitor::Need::kOptional); }
  bool operator==(const Tour&) const = default;
};
struct Keys {};
struct Escape {};
struct Set {
  SettingValues values;  // one after the other
  void arguments(ArgumentVisitor& v) { v.settings(values); }
  bool operator==(const Set&) const = default;
};
struct ResetSetting {
  std::string name;
  void arguments(ArgumentVisitor& v) { v.text("name", name); }
  bool operator==(const ResetSetting&) const = default;
};
struct ResetSettings {};
struct ResetPositions {};
struct Rewind {
  int branch = -1;  // -1: that of the moment shown
  int step = 0;
  void arguments(ArgumentVisitor& v) {
    v.whole("branch", branch, ArgumentVisitor::Need::kOptional);
    v.whole("step", step);
  }
  bool operator==(const Rewind&) const = default;
};
struct Try {
  std::string text;
  void arguments(ArgumentVisitor& v) { v.text("text", text); }
  bool operator==(const Try&) const = default;
};
struct TypeWord {
  std::string word;
  void arguments(ArgumentVisitor& v) { v.text("word", word); }
  bool operator==(const TypeWord&) const = default;
};
struct Roll {};
struct TrainForInput {};
struct Point {
  std::string map;
  int row = -1, column = -1;  // -1: no cell
  void arguments(ArgumentVisitor& v) {
    v.text("map", map);
    v.whole("row", row, ArgumentVisitor::Need::kOptional);
    v.whole("column", column, ArgumentVisitor::Need::kOptional);
  }
  bool operator==(const Point&) const = default;
};
struct Fold {
  std::string path;
  void arguments(ArgumentVisitor& v) { v.text("path", path); }
  bool operator==(const Fold&) const = default;
};
struct Pin {};
struct CopyPath {
  std::string path;
  void arguments(ArgumentVisitor& v) { v.text("path", path); }
  bool operator==(const CopyPath&) const = default;
};
struct Explain {
  std::string path;
  int row = 0, column = 0;
  int check = 0;  // 1: the derivative by finite differences, too
  void arguments(ArgumentVisitor& v) {
    v.text("path", path);
    v.whole("row", row);
    v.whole("column", column);
    v.whole("check", check, ArgumentVisitor::Need::kOptional);
  }
  bool operator==(const Explain&) const = default;
};
struct ZoomCurves {
  double factor = 1;
  void arguments(ArgumentVisitor& v) { v.number("factor", factor); }
  bool operator==(const ZoomCurves&) const = default;
};
struct ForgetGhosts {};
struct Save {};
struct Load {};
struct EditLines {};
struct CopyLink {};
struct DownloadCsv {};
struct DownloadPng {
  std::string place;
  void arguments(ArgumentVisitor& v) { v.text("place", place); }
  bool operator==(const DownloadPng&) const = default;
};
struct Menu {};
struct CloseNotices {};
struct CloseNotice {
  int index = 0;
  void arguments(ArgumentVisitor& v) { v.whole("index", index); }
  bool operator==(const CloseNotice&) const = default;
};
struct Remedy {};
struct Next {
  int number = 1;  // counts from 1
  void arguments(ArgumentVisitor& v) { v.whole("number", number); }
  bool operator==(const Next&) const = default;
};
struct Predict {
  int number = 1;  // counts from 1
  void arguments(ArgumentVisitor& v) { v.whole("number", number); }
  bool operator==(const Predict&) const = default;
};
struct ContinueKept {};
struct DiscardKept {};
struct OpenFullPage {};

// Two commands without arguments are equal.
template <class Empty>
requires std::is_empty_v<Empty>
bool operator==(const Empty&, const Empty&) { return true; }

// One setting, as a button changes it.
Set set(std::string_view name, std::string value);

}  // namespace ui_command

using UiCommand =
    std::variant<ui_command::Play, ui_command::Pause, ui_command::Step, ui_command::Reset,
                 ui_command::NewSeed, ui_command::Slower, ui_command::Faster, ui_command::Earlier,
                 ui_command::Later, ui_command::ParentBranch, ui_command::ShowPanel,
                 ui_command::Tour, ui_command::Keys, ui_command::Escape, ui_command::Set,
                 ui_command::ResetSetting, ui_command::ResetSettings, ui_command::ResetPositions,
                 ui_command::Rewind, ui_command::Try, ui_command::TypeWord, ui_command::Roll,
                 ui_command::TrainForInput, ui_command::Point, ui_command::Fold, ui_command::Pin,
                 ui_command::CopyPath, ui_command::Explain, ui_command::ZoomCurves,
                 ui_command::ForgetGhosts, ui_command::Save, ui_command::Load,
                 ui_command::EditLines, ui_command::CopyLink, ui_command::DownloadCsv,
                 ui_command::DownloadPng, ui_command::Menu, ui_command::CloseNotices,
                 ui_command::CloseNotice, ui_command::Remedy, ui_command::Next, ui_command::Predict,
                 ui_command::ContinueKept, ui_command::DiscardKept, ui_command::OpenFullPage>;

struct UiCommandRow {
  std::string_view name;  // in JSON: {"type": name, ...}
  std::string_view help;  // for the documentation
  // By their DOM names; the sheet of keys shows the first one beside the text. Several commands may
  // share a key: the first that means something at the moment is run.
  std::array<std::string_view, 2> keys = {};
  std::optional<Text> sheet = {};
};

// In the order of UiCommand. The number keys are those of show_panel.
inline constexpr std::array<UiCommandRow, std::variant_size_v<UiCommand>> kUiCommands = {{
    {"play", "trains from the moment shown", {" "}, Text::key_play},
    {"pause", "stops training", {" "}, Text::key_play},
    {"step", "one training step", {"s", "S"}, Text::key_step},
    {"reset", "starts the run again, with the settings as they are", {"r", "R"}, Text::key_reset},
    {"new_seed", "starts it again with the next seed", {"n", "N"}, Text::key_seed},
    {"slower", "the next lower pace", {"-"}, Text::key_pace},
    {"faster", "the next higher pace", {"+", "="}, Text::key_pace},
    {"earlier", "shows the saved moment before this one", {"ArrowLeft"}, Text::key_moment},
    {"later", "shows the saved moment after this one", {"ArrowRight"}, Text::key_moment},
    {"parent_branch",
     "shows the end of the branch that this one grew from",
     {"b", "B"},
     Text::key_branch},
    {"show_panel", "opens the tab of this number, from 1", {"1"}, Text::key_tabs},
    {"tour",
     "opens the tour at this step, from 1; without `step`, opens or closes it",
     {"?"},
     Text::key_sheet},
    {"keys", "opens or closes the sheet of keys"},
    {"escape", "closes the tour, the sheet of keys, the menu or a question", {"Escape"}},
    {"set", "sets a property; with `values: {…}`, several"},
    {"reset_setting", "one setting back to the preset"},
    {"reset_settings", "all settings of the run back to the preset"},
    {"reset_positions", "the settings of the positions panel back to their defaults"},
    {"rewind", "shows the saved moment nearest to this one; without `branch`, of the one shown"},
    {"try", "an input for \"Try it\""},
    {"type_word", "puts a word that the model knows in place of one that it does not"},
    {"roll", "another held-out example"},
    {"train_for_input", "trains again, with lengths that what was tried fits into"},
    {"point",
     "a cell of `attention`, `heatmap` or `similarity`, or a token of `answer`, as if the pointer "
     "were there; without `row`, none"},
    {"fold", "opens or closes a block of the map of the model"},
    {"pin", "keeps the numbers of the chosen tensor, to compare later ones with"},
    {"copy_path", "the path of a tensor, into the clipboard"},
    {"explain",
     "asks where a number of the example shown came from; with `check: 1`, also for its derivative "
     "by finite differences"},
    {"zoom_curves",
     "divides the number of steps on the curves' axis by the factor; 0: all of them"},
    {"forget_ghosts", "removes the curves of earlier runs"},
    {"save", "the run as a file"},
    {"load", "lets the person choose a file: a model or a text"},
    {"edit_lines", "lets the person write the pairs to learn"},
    {"copy_link", "a link to what is shown, into the clipboard"},
    {"download_csv", "the curves as a table"},
    {"download_png", "a place of `state().shown.places` as a picture"},
    {"menu", "opens or closes the menu of a narrow page"},
    {"close_notices", "closes all notices"},
    {"close_notice", "closes one of them, from 0"},
    {"remedy", "does what the story offers against what is the matter"},
    {"next",
     "takes one of the three things offered after a run, from 1; an experiment asks for a "
     "prediction first"},
    {"predict", "answers that, from 1, and starts the experiment"},
    {"continue_kept", "continues the run of the last visit"},
    {"discard_kept", "forgets it"},
    {"open_full_page", "opens what an embed shows as a page of its own"},
}};

void visit_arguments(UiCommand& command, ArgumentVisitor& visitor);
// With default arguments.
UiCommand make_command(std::size_t row);
// {"type": "set", "name": "pe_d_model", "value": 64} and the like. Nothing when it is no command or
// an argument is missing or of another kind.
std::optional<UiCommand> read_command(std::string_view json);

// The sheet of keys: what is shown for each key or pair of keys, in the order of the table.
struct KeyLine {
  std::string keys;
  Text what;
};
std::vector<KeyLine> key_sheet(Language language, int panels);

}  // namespace tp::ui
