#include "imgui_app/panels/setup_panel.h"

#include <algorithm>
#include <cmath>

#include "engine/core/number_text.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

// The first of these that the task has is the length of a sequence to people.
constexpr std::string_view kLengths[] = {"max_length", "digits", "length", "days",
                                         "size",       "forms",  "tokens"};

std::vector<std::string_view> basics_of(RunEditor& editor) {
  std::vector<std::string_view> names;
  const Properties task = editor.draft().task_properties();
  for (const std::string_view name : kLengths) {
    if (names.empty() && find_property(task, name)) names.push_back(name);
  }
  for (const std::string_view name :
       {"encoder_layers", "decoder_layers", "heads", "positions", "learning_rate", "batch"}) {
    if (editor.draft().matters(name)) names.push_back(name);
  }
  return names;
}

// One setting with its way back and, where it has to wait, the word that it does.
float draw_setting(Ui& ui, RunEditor& editor, const Property& property, ImVec2 at, float width) {
  const float icon = ui.px(ui.touch ? 44 : 26);
  float height = setting_control(ui, property, at, width - icon);
  const std::string preset = editor.preset().text_of(property.name);
  if (!preset.empty() && preset != property.text()) {
    const std::string name(property.name);
    button(ui,
           {.name = "reset_" + name,
            .label = fill(ui.tr(Text::reset_setting), {label_of(ui, property)}),
            .command = ui_command::ResetSetting{name},
            .rect = {ImVec2(at.x + width - icon + ui.px(4), at.y - ui.px(2)),
                     ImVec2(at.x + width, at.y + icon - ui.px(6))}},
           ButtonLook::kQuiet, Icon::kReset);
  }
  if (editor.waits(property.name)) {
    const ImVec2 size = ui.text(ImVec2(at.x, at.y + height), FontRole::kLabel, ui.palette.warning,
                                ui.tr(Text::applies_on_restart), {.max_width = width});
    height += size.y;
  }
  return height;
}

// What waits, with the button that ends the waiting. Returns the height used.
float draw_waiting(Ui& ui, const RunEditor& editor, const RunView& run, ImVec2 at, float width) {
  if (editor.waiting().empty()) return 0;
  const std::string text =
      editor.waiting().size() == 1
          ? ui.tr(Text::waiting_change)
          : fill(ui.tr(Text::waiting_changes), {std::to_string(editor.waiting().size())});
  const ImVec2 size = ui.text(at, FontRole::kLabel, ui.palette.text, text, {.wrap_width = width});
  float y = at.y + size.y + ui.px(4);
  const std::optional<Estimate>& estimate = run.now().estimate;
  const bool impossible = estimate && !estimate->problem.empty();
  if (impossible) {
    y += ui.text(ImVec2(at.x, y), FontRole::kLabel, ui.palette.wrong, ui.said(estimate->problem),
                 {.wrap_width = width})
             .y +
         ui.px(4);
  }
  button(ui,
         {.name = "restart",
          .label = ui.tr(Text::restart),
          .command = ui_command::Reset{},
          .enabled = !impossible,
          .rect = {ImVec2(at.x, y), ImVec2(at.x + width, y + control_height(ui))}},
         ButtonLook::kPrimary);
  return y + control_height(ui) + ui.px(8) - at.y;
}

// What a task that learns from the user's own text takes; nothing for the others.
std::string own_text_hint(const Ui& ui, const RunEditor& editor) {
  const Material material = editor.draft().material();
  if (material == Material::none) return {};
  return ui.tr(material == Material::required        ? Text::own_pairs
               : editor.draft().task() == "forecast" ? Text::own_column
                                                     : Text::own_text);
}

// Save, load, link. Returns the height used.
float draw_files(Ui& ui, const RunEditor& editor, ImVec2 at, float width) {
  struct File {
    const char* name;
    UiCommand command;
    Text label;
  };
  const float height = control_height(ui);
  float x = at.x, y = at.y;
  for (const File& file :
       {File{"save", ui_command::Save{}, Text::save}, File{"load", ui_command::Load{}, Text::load},
        File{"copy_link", ui_command::CopyLink{}, Text::copy_link}}) {
    const float own = std::min(button_width(ui, ui.tr(file.label)), width);
    if (x + own > at.x + width && x > at.x) x = at.x, y += height + ui.px(8);
    button(ui,
           {.name = file.name,
            .label = ui.tr(file.label),
            .command = file.command,
            .rect = {ImVec2(x, y), ImVec2(x + own, y + height)}},
           ButtonLook::kFramed);
    x += own + ui.px(8);
  }
  y += height;
  if (const std::string hint = own_text_hint(ui, editor); !hint.empty()) {
    y += ui.px(6);
    y +=
        ui.text(ImVec2(at.x, y), FontRole::kLabel, ui.palette.muted, hint, {.wrap_width = width}).y;
  }
  return y - at.y;
}

}  // namespace

std::string size_line(const Ui& ui, const RunView& run) {
  const Snapshot& now = run.now();
  std::uint64_t parameters = now.parameters, bytes = now.bytes;
  double flops = now.flops;
  const bool estimated = now.estimate && now.estimate->problem.empty();
  if (estimated) {
    parameters = now.estimate->parameters;
    bytes = now.estimate->bytes;
    flops = now.estimate->flops;
  }
  if (parameters == 0 || flops <= 0) return {};
  const double speed = run.flops_per_second() / flops;
  return fill(
      ui.tr(Text::size_line),
      {fill(ui.tr(Text::size_parameters), {readable_number(static_cast<double>(parameters))}),
       fill(ui.tr(Text::size_memory), {readable_number(static_cast<double>(megabytes(bytes)))}),
       fill(ui.tr(Text::size_speed),
            {readable_number(speed >= 10 ? std::round(speed) : std::ceil(speed * 10) / 10)})});
}

void SetupPanel::draw_side(Ui& ui, const RunView& run, Rect rect) {
  const Rect inside = ui.panel(rect, ui.tr(Text::setup));
  ui.mirror.place("setup", rect);
  const Properties table = editor_.properties();
  ImVec2 at = inside.min;
  for (const std::string_view name : basics_of(editor_)) {
    at.y += draw_setting(ui, editor_, *find_property(table, name), at, inside.width()) + ui.px(6);
  }
  at.y += ui.px(2);
  at.y += draw_waiting(ui, editor_, run, at, inside.width());
  const ImVec2 sizes = ui.text(at, FontRole::kLabel, ui.palette.muted, size_line(ui, run),
                               {.wrap_width = inside.width()});
  at.y += sizes.y + ui.px(8);
  at.y += draw_files(ui, editor_, at, inside.width()) + ui.px(8);
  button(ui,
         {.name = "all_settings",
          .label = ui.tr(Text::all_settings),
          .command = ui_command::set("panel", "setup"),
          .rect = {at, ImVec2(inside.max.x, at.y + control_height(ui))}},
         ButtonLook::kQuiet);
  side_height_ = at.y + control_height(ui) + ui.px(16) - rect.min.y;
}

void SetupPanel::draw(Ui& ui, const RunView& run, Rect rect, bool) {
  ui.card(rect);
  ui.mirror.place("setup", rect);
  const float padding = ui.px(16), gap = ui.px(24);
  const ImVec2 inner(rect.min.x + padding, rect.min.y + padding);
  const float inner_width = rect.width() - 2 * padding;
  const int columns = std::max(1, static_cast<int>((inner_width + gap) / (ui.px(200) + gap)));
  const float column =
      (inner_width - static_cast<float>(columns - 1) * gap) / static_cast<float>(columns);
  float y = inner.y;
  y += draw_waiting(ui, editor_, run, ImVec2(inner.x, y), inner_width);
  y += ui.text(ImVec2(inner.x, y), FontRole::kLabel, ui.palette.muted, size_line(ui, run),
               {.wrap_width = inner_width})
           .y +
       ui.px(8);
  button(ui,
         {.name = "reset_settings",
          .label = ui.tr(Text::reset_settings),
          .command = ui_command::ResetSettings{},
          .rect = {ImVec2(inner.x, y),
                   ImVec2(inner.x +
                              std::min(button_width(ui, ui.tr(Text::reset_settings)), inner_width),
                          y + control_height(ui))}},
         ButtonLook::kFramed);
  y += control_height(ui) + ui.px(12);
  const auto shown = [&](const Property& property) {
    return editor_.draft().matters(property.name) || editor_.waits(property.name);
  };
  const auto group = [&](Text title, const Properties& table) {
    if (std::ranges::none_of(table, shown)) return;
    y +=
        ui.text(ImVec2(inner.x, y), FontRole::kHeading, ui.palette.text, ui.tr(title)).y + ui.px(8);
    float row = 0;
    int place = 0;
    for (const Property& property : table) {
      if (!shown(property)) continue;
      const ImVec2 at(inner.x + static_cast<float>(place) * (column + gap), y);
      row = std::max(row, draw_setting(ui, editor_, property, at, column));
      if (++place < columns) continue;
      place = 0;
      y += row + ui.px(10);
      row = 0;
    }
    if (place > 0) y += row + ui.px(10);
    y += ui.px(10);
  };
  group(Text::group_task, editor_.draft().task_properties());
  group(Text::group_model, editor_.draft().model_properties());
  group(Text::group_training, editor_.draft().training_properties());
  y +=
      ui.text(ImVec2(inner.x, y), FontRole::kHeading, ui.palette.text, ui.tr(Text::group_files)).y +
      ui.px(8);
  y += draw_files(ui, editor_, ImVec2(inner.x, y), inner_width) + ui.px(12);
  const Properties page = properties(ui.settings);
  check_box(ui, *find_property(page, "keep_training"),
            {ImVec2(inner.x, y), ImVec2(inner.x + inner_width, y + control_height(ui))});
  height_ = y + control_height(ui) + padding - rect.min.y;
}

std::unique_ptr<Panel> make_setup_panel(RunEditor& editor) {
  return std::make_unique<SetupPanel>(editor);
}

}  // namespace tp::ui
