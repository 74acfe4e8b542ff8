// What each command does, and the ways in which one arrives: JSON, a key, the name of a button.

#include <algorithm>

#include "imgui_app/app/app.h"
#include "imgui_app/model/typed_word.h"

namespace tp::ui {

using namespace ui_command;

// A command whose argument names nothing that is there answers with a sentence, as a setting does
// whose value does not fit.
struct App::Performer {
  App& app;

  Status not_understood(std::string_view argument) const {
    return Error{
        fill(tr(Text::problem_command, app.language()), {std::string(argument.substr(0, 120))})};
  }

  Status drive(CommandBody what) {
    app.link_.drive(std::move(what));
    return Done{};
  }
  Status change_pace(int by) {
    const Properties table = properties(app.settings);
    const Property& pace = *find_property(table, "pace");
    if (set_property(pace, pace.number() + by) == PropertyProblem::kNone) app.settings_changed();
    return Done{};
  }
  Status start(std::string_view task) {
    app.link_.start(task, "default", true);
    return Done{};
  }
  Status take_kept(bool wanted) {
    app.platform_.take_kept_run(wanted);
    app.kept_run_.reset();
    return Done{};
  }

  // To the panel that it is about.
  Status offer(const UiCommand& command, std::string_view argument) {
    for (const std::unique_ptr<Panel>& panel : app.panels_) {
      if (panel->perform(command, app.run())) return Done{};
    }
    return not_understood(argument);
  }

  Status operator()(const Play&) { return drive(tp::Play{}); }
  Status operator()(const Pause&) { return drive(tp::Pause{}); }
  Status operator()(const Step&) { return drive(tp::Step{}); }
  Status operator()(const Reset&) {
    app.link_.restart(false);
    return Done{};
  }
  Status operator()(const NewSeed&) {
    app.link_.editor().new_seed();
    app.link_.restart(app.run().running());
    return Done{};
  }
  Status operator()(const Slower&) { return change_pace(-1); }
  Status operator()(const Faster&) { return change_pace(1); }
  Status operator()(const Earlier&) {
    app.link_.rewind_by(-1);
    return Done{};
  }
  Status operator()(const Later&) {
    app.link_.rewind_by(1);
    return Done{};
  }
  Status operator()(const ParentBranch&) {
    app.link_.rewind_to_parent();
    return Done{};
  }
  Status operator()(const ShowPanel& c) {
    if (c.number < 1 || c.number > kPanels) return not_understood("show_panel");
    app.settings.panel = c.number - 1;
    app.settings_changed();
    return Done{};
  }
  Status operator()(const ui_command::Tour& c) {
    const bool open = app.tour_ > 0 || app.show_keys_;
    app.go_to_tour(c.step >= 0 ? c.step : open ? 0 : 1);
    if (app.tour_ == 0) return Done{};
    app.settings.panel = panel_named("attention");  // it speaks of this view
    app.settings_changed();
    return Done{};
  }
  Status operator()(const Keys&) {
    app.tour_ = 0;
    app.show_keys_ = !app.show_keys_;
    return Done{};
  }
  Status operator()(const Escape&) {  // what is over the page goes
    if (app.tour_ > 0 || app.show_keys_) {
      app.go_to_tour(0);
    } else if (app.menu_open_) {
      app.toggle_menu_ = true;
    } else {
      app.experiments_.forget_question();
    }
    return Done{};
  }
  Status operator()(const Set& c) {
    for (const auto& [name, value] : c.values) {
      if (Status status = app.set(name, value); !status) return status;
    }
    return Done{};
  }
  Status operator()(const ResetSetting& c) {
    const ConstProperties table = properties(std::as_const(app.initial));
    const ConstProperty* of_page = find_property(table, c.name);
    return app.set(c.name, of_page ? of_page->text() : app.link_.editor().preset().text_of(c.name));
  }
  Status operator()(const ResetSettings&) {
    app.link_.editor().reset_all();
    app.settings_changed();
    return Done{};
  }
  Status operator()(const ResetPositions&) {
    app.settings.pe = app.initial.pe;
    app.settings_changed();
    return Done{};
  }
  Status operator()(const Rewind& c) {
    app.link_.send(tp::Rewind{c.branch < 0 ? app.run().now().moment.branch : c.branch,
                              static_cast<std::uint64_t>(c.step)});
    return Done{};
  }
  Status operator()(const Try& c) { return app.set("try_input", c.text); }
  // A word that the model knows, for the one that it does not.
  Status operator()(const TypeWord& c) {
    const Snapshot& now = app.run().now();
    const bool spaced = now.example && now.example->source_text.find(' ') != std::string::npos;
    const std::string unknown = now.tried ? now.tried->unknown_word : "";
    return app.set("try_input", with_known_word(app.settings.attempt.input, unknown, c.word,
                                                now.known_words, spaced));
  }
  Status operator()(const Roll&) {
    app.settings.attempt.input.clear();
    app.settings.attention.of = ExampleOf::kHeldOut;
    app.settings.attention.example = (app.settings.attention.example + 1) % 1000;
    app.settings_changed();
    return Done{};
  }
  Status operator()(const TrainForInput&) {
    const std::optional<TryResult>& tried = app.run().now().tried;
    if (!tried || tried->remedy.empty()) return not_understood("train_for_input");
    const Properties table = app.link_.editor().properties();
    for (const NewValue& value : tried->remedy) {
      if (const Property* property = find_property(table, value.name)) {
        set_property(*property, value.value);
      }
    }
    app.link_.restart(true);
    return Done{};
  }
  Status operator()(const Point& c) { return offer(c, "point " + c.map); }
  Status operator()(const Fold& c) { return offer(c, "fold " + c.path); }
  Status operator()(const Pin& c) { return offer(c, "pin"); }
  Status operator()(const CopyPath& c) {
    app.platform_.copy_text(c.path);
    app.notice(fill(tr(Text::path_copied, app.language()), {c.path}), NoticeTone::kGood);
    return Done{};
  }
  Status operator()(const ui_command::Explain& c) {
    app.link_.send(tp::Explain{c.path, c.row, c.column, c.check != 0});
    return Done{};
  }
  Status operator()(const ZoomCurves& c) { return offer(c, "zoom_curves"); }
  Status operator()(const ForgetGhosts&) {
    app.link_.run().forget_ghosts();
    return Done{};
  }
  Status operator()(const Save&) {
    app.link_.send(tp::Save{});
    return Done{};
  }
  Status operator()(const Load&) {
    app.platform_.choose_file();
    return Done{};
  }
  Status operator()(const EditLines&) {
    const Language language = app.language();
    app.platform_.edit_lines(app.run().now().material, tr(Text::lines_title, language),
                             tr(Text::learn_lines, language), tr(Text::close, language));
    return Done{};
  }
  Status operator()(const CopyLink&) {
    app.platform_.copy_link(app.query());
    return Done{};
  }
  Status operator()(const DownloadCsv&) {
    const std::string text = app.run().csv();
    app.platform_.save_file("curves.csv", std::as_bytes(std::span(text)));
    return Done{};
  }
  Status operator()(const DownloadPng& c) {
    const auto found = app.mirror_.places().find(c.place);
    if (found == app.mirror_.places().end()) return not_understood("download_png " + c.place);
    app.platform_.save_picture(c.place + ".png", found->second);
    return Done{};
  }
  Status operator()(const Menu&) {
    app.toggle_menu_ = true;
    return Done{};
  }
  Status operator()(const CloseNotices&) {
    app.notices_.clear();
    return Done{};
  }
  Status operator()(const CloseNotice& c) {
    if (!app.notices_.close(static_cast<std::size_t>(c.index))) {
      return not_understood("close_notice");
    }
    return Done{};
  }
  Status operator()(const ui_command::Remedy&) {
    if (!app.diagnosis_.remedy) return not_understood("remedy");
    const ui::Remedy remedy = *app.diagnosis_.remedy;
    if (remedy.rewind) return (*this)(Rewind{-1, static_cast<int>(*remedy.rewind)});
    if (Status status = (*this)(Set{remedy.changes}); !status) return status;
    if (!remedy.restart) return drive(tp::Play{});
    app.link_.restart(true);
    return Done{};
  }
  Status operator()(const Next& c) {
    const std::vector<NextThing> things = app.experiments_.offers(app.link_.editor().running());
    if (c.number < 1 || c.number > std::ssize(things) || app.run().running()) {
      return not_understood("next");
    }
    const NextThing& thing = things[static_cast<std::size_t>(c.number - 1)];
    if (!thing.task.empty()) return start(thing.task);
    app.experiments_.ask(thing, app.run(), app.link_.editor().running());
    return Done{};
  }
  Status operator()(const Predict& c) {
    if (c.number < 1 || c.number > 3 || !app.experiments_.asked()) return not_understood("predict");
    const auto expected = static_cast<Expectation>(c.number - 1);
    if (Status status = (*this)(Set{app.experiments_.begin(expected, app.run())}); !status) {
      return status;
    }
    app.link_.restart(true);
    return Done{};
  }
  Status operator()(const ContinueKept&) { return take_kept(true); }
  Status operator()(const DiscardKept&) { return take_kept(false); }
  Status operator()(const OpenFullPage&) {
    app.platform_.open_full_page(app.query());
    return Done{};
  }
};

Status App::perform(const UiCommand& command) {
  unsettled_ = kSettling;
  ++version_;
  return std::visit(Performer{*this}, command);
}

Status App::command(std::string_view json) {
  if (const std::optional<UiCommand> read = read_command(json)) return perform(*read);
  return Error{fill(tr(Text::problem_command, language()), {json.substr(0, 120)})};
}

Status App::press(std::string_view name) {
  const auto found = std::ranges::find(mirror_.actions(), name, &Action::name);
  if (found == mirror_.actions().end() || !found->enabled) {
    return Error{fill(tr(Text::problem_command, language()), {name.substr(0, 120)})};
  }
  return perform(UiCommand(found->command));  // a copy: the next frame makes the actions anew
}

// Of those that share a key.
bool App::means_something(const UiCommand& command) const {
  if (std::holds_alternative<Play>(command)) return !run().running();
  if (std::holds_alternative<Pause>(command)) return run().running();
  if (std::holds_alternative<ParentBranch>(command)) {
    const BranchCurves* shown = run().branch(run().now().moment.branch);
    return shown != nullptr && shown->branch.parent >= 0;
  }
  if (std::holds_alternative<Escape>(command)) {
    return tour_ > 0 || show_keys_ || menu_open_ || experiments_.asked();
  }
  return true;
}

bool App::key(std::string_view name) {
  if (name.empty()) return false;
  unsettled_ = kSettling;
  if (tour_ > 0 && name == "ArrowRight") return perform(ui_command::Tour{tour_ + 1}).ok();
  if (tour_ > 0 && name == "ArrowLeft")
    return perform(ui_command::Tour{std::max(1, tour_ - 1)}).ok();
  if (name.size() == 1 && name[0] >= '1' && name[0] < '1' + kPanels) {
    return perform(ShowPanel{name[0] - '0'}).ok();
  }
  for (std::size_t row = 0; row < kUiCommands.size(); ++row) {
    if (std::ranges::find(kUiCommands[row].keys, name) == kUiCommands[row].keys.end()) continue;
    const UiCommand command = make_command(row);
    if (means_something(command)) return perform(command).ok();
  }
  return false;
}

}  // namespace tp::ui
