#include "imgui_app/model/run_editor.h"

#include <algorithm>

namespace tp::ui {
namespace {

int index_of(const std::vector<std::string_view>& names, std::string_view name) {
  return static_cast<int>(std::ranges::find(names, name) - names.begin());
}

constexpr std::string_view kFirstTask = "reverse", kFirstPreset = "first-look";
constexpr std::string_view kDefault = "default";

// Copies a value from one table to the other.
void copy_value(const ConstProperty& from, const Property& to) { set_property(to, from.text()); }

}  // namespace

RunEditor::RunEditor()
    : task_(index_of(task_names(), kFirstTask)),
      preset_(index_of(preset_names(), kFirstPreset)),
      followed_task_(task_),
      followed_preset_(preset_),
      draft_(kFirstTask, kFirstPreset),
      preset_settings_(draft_) {}

std::string_view RunEditor::task_name() const {
  return task_names()[static_cast<std::size_t>(task_)];
}
std::string_view RunEditor::preset_name() const {
  return preset_names()[static_cast<std::size_t>(preset_)];
}

Status RunEditor::fits_task(std::string_view preset) const {
  if (task_of_preset(preset, task_name()) == task_name()) return Done{};
  RunConfig run = std::move(default_run(task_name()).value());
  return apply_preset(preset, run);
}

Properties RunEditor::properties() {
  Properties all = {choice("task", task_, task_names()), choice("preset", preset_, preset_names())};
  for (Property& property : draft_.all_properties()) all.push_back(std::move(property));
  return all;
}
ConstProperties RunEditor::properties() const {
  return read_only(*this, [](RunEditor& editor) { return editor.properties(); });
}

// The draft becomes that of the task and preset chosen. A preset of one task brings the task along;
// a task that the preset is not for falls back to its default.
void RunEditor::follow_choice() {
  const std::string_view needed = task_of_preset(preset_name(), task_name());
  if (needed != task_name()) {
    if (preset_ != followed_preset_) {
      task_ = index_of(task_names(), needed);
    } else {
      preset_ = index_of(preset_names(), kDefault);
    }
  }
  choose(task_name(), preset_name());
}

void RunEditor::choose(std::string_view task, std::string_view preset) {
  task_ = followed_task_ = index_of(task_names(), task);
  preset_ = followed_preset_ = index_of(preset_names(), preset);
  draft_ = preset_settings_ = RunSettings(task, preset);
}

std::vector<CommandBody> RunEditor::changed(bool playing) {
  if (task_ != followed_task_ || preset_ != followed_preset_) {
    follow_choice();
    return {start(playing)};
  }
  std::vector<CommandBody> commands;
  // What is being started has its own settings already; the run that it replaces, or that stays
  // when it is refused, keeps those that it has.
  if (starting_) return commands;
  if (running_ && running_->task() == draft_.task()) {
    RunSettings next = *running_;
    const Properties wanted = draft_.training_properties(), now = next.training_properties();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (changes_live(wanted[i].name)) copy_value(wanted[i], now[i]);
    }
    if (std::string json = next.training_json(); json != running_->training_json()) {
      commands.emplace_back(Retune{std::move(json)});
      running_ = std::move(next);
    }
  }
  find_waiting();
  if (!waiting_.empty()) commands.emplace_back(EstimateRun{draft_.json()});
  return commands;
}

void RunEditor::find_waiting() {
  waiting_.clear();
  if (!running_) return;
  const Properties wanted = draft_.all_properties(), now = running_->all_properties();
  for (const Property& property : wanted) {
    const Property* other = find_property(now, property.name);
    if (other == nullptr || other->text() != property.text()) {
      waiting_.emplace_back(property.name);
    }
  }
}

bool RunEditor::waits(std::string_view name) const {
  return std::ranges::find(waiting_, name) != waiting_.end();
}

Start RunEditor::start(bool play) {
  waiting_.clear();
  starting_ = true;
  return {draft_.json(), draft_.task() == material_task_ ? material_ : std::string(), play};
}

void RunEditor::set_material(std::string material) {
  material_ = std::move(material);
  material_task_ = running().task();
}

void RunEditor::new_seed() {
  const Properties table = draft_.training_properties();
  const Property& seed = *find_property(table, "seed");
  set_property(seed, seed.number() >= seed.maximum ? seed.minimum : seed.number() + 1);
}

void RunEditor::reset(std::string_view name) {
  const Properties from = preset_settings_.all_properties(), to = draft_.all_properties();
  const Property* source = find_property(from, name);
  const Property* target = find_property(to, name);
  if (source && target) copy_value(*source, *target);
}

void RunEditor::reset_all() { draft_ = preset_settings_; }

void RunEditor::running_with(const std::string& config, bool adopt) {
  Result<RunSettings> read = RunSettings::from_json(config);
  if (!read) return;  // the session made it: it can be read
  running_ = std::move(read.value());
  starting_ = false;
  if (adopt) {
    task_ = followed_task_ = index_of(task_names(), running_->task());
    if (task_of_preset(preset_name(), task_name()) != task_name()) {
      preset_ = index_of(preset_names(), kDefault);
    }
    followed_preset_ = preset_;
    preset_settings_ = RunSettings(task_name(), preset_name());
    draft_ = *running_;
  }
  running_preset_ = preset_;
  find_waiting();
}

void RunEditor::refused(const std::string& config) {
  // What was edited stays and waits; another task or preset goes back to the one that runs.
  const bool chosen = preset_ != running_preset_ || draft_.task() != running().task();
  preset_ = running_preset_;
  running_with(config, chosen);
}

std::optional<Start> RunEditor::fall_back(bool play) {
  if (draft_.json() != preset_settings_.json()) {
    draft_ = preset_settings_;
  } else if (task_name() == kFirstTask && preset_name() == kFirstPreset) {
    return std::nullopt;
  } else if (preset_name() != kDefault) {
    choose(task_name(), kDefault);
  } else {
    choose(kFirstTask, kFirstPreset);
  }
  return start(play);
}

}  // namespace tp::ui
