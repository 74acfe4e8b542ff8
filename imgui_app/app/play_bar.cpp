#include "imgui_app/app/play_bar.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "engine/core/number_text.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

std::string time_left(const Ui& ui, const RunView& run) {
  const Snapshot& now = run.now();
  if (!run.running() || now.steps_per_second <= 0 || now.moment.step < 5 ||
      now.moment.step >= now.total_steps) {
    return {};
  }
  const double seconds =
      static_cast<double>(now.total_steps - now.moment.step) / now.steps_per_second;
  if (seconds >= 120) {
    return fill(ui.tr(Text::minutes_left), {readable_number(std::round(seconds / 60))});
  }
  return fill(ui.tr(Text::time_left), {readable_number(std::ceil(seconds))});
}

// The figures have their words above them there, not beside them.
bool is_narrow(const Ui& ui, float width) { return width < ui.px(400); }

}  // namespace

std::string decimal(double value, int decimals) {
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.*f", decimals, value);
  return digits;
}

std::string loss_text(double loss) {
  return decimal(loss, loss < 9.9995 ? 3 : loss < 99.995 ? 2 : 0);
}

const PlayBar::Figures& PlayBar::figures(const Ui& ui, const RunView& run) {
  const Snapshot& now = run.now();
  if (run.running() && ui.time - shown_at_ < 100) return shown_;
  shown_at_ = ui.time;
  const auto shown = [&](const char* series, auto text) -> std::optional<std::string> {
    const double value = run.value_now(series);
    return std::isnan(value) ? std::nullopt : std::optional<std::string>(text(value));
  };
  // The first of these that there is.
  const auto first = [](std::initializer_list<std::optional<std::string>> texts) -> std::string {
    for (const auto& text : texts) {
      if (text) return *text;
    }
    return "–";
  };
  shown_.step = readable_number(static_cast<double>(now.moment.step));
  shown_.loss = first({shown("loss", loss_text), shown("heldout_loss", loss_text)});
  // The measure of the curve: whole answers, or else single tokens.
  const bool regression = now.vocabulary == 0 && now.state != RunState::empty;
  const auto exact = shown("heldout_exact", percent_text);
  const auto tokens = shown("heldout_token_accuracy", percent_text);
  shown_.right = regression ? first({shown("heldout_metric", loss_text)}) : first({exact, tokens});
  shown_.measure = regression         ? Text::figure_error
                   : !exact && tokens ? Text::figure_tokens
                                      : Text::figure_right;
  shown_.speed = run.running() && now.steps_per_second > 0
                     ? decimal(now.steps_per_second, now.steps_per_second < 9.95 ? 1 : 0)
                     : "–";
  shown_.left = time_left(ui, run);
  return shown_;
}

float PlayBar::draw_buttons(Ui& ui, const RunView& run, ImVec2 at, float height, bool words) {
  const auto place = [&](float width) {
    const Rect rect{at, ImVec2(at.x + width, at.y + height)};
    at.x += width + ui.px(8);
    return rect;
  };
  const bool ready = run.now().state != RunState::empty;
  const bool running = run.running();
  // One button with one name, so that its DOM twin keeps the keyboard when it is pressed.
  button(ui,
         {.name = "play_pause",
          .label = ui.tr(running ? Text::pause : Text::play),
          .command = running ? UiCommand(ui_command::Pause{}) : UiCommand(ui_command::Play{}),
          .enabled = ready,
          .rect = place(ui.px(words ? 112 : 104))},
         ButtonLook::kPrimary, running ? Icon::kPause : Icon::kPlay);
  struct Other {
    const char* name;
    UiCommand command;
    Text label;
    Icon icon;
  };
  for (const Other& other :
       {Other{"step", ui_command::Step{}, Text::step, Icon::kStep},
        Other{"reset", ui_command::Reset{}, Text::reset, Icon::kReset},
        Other{"new_seed", ui_command::NewSeed{}, Text::new_seed, Icon::kDice}}) {
    const float width =
        words ? ui.measure(FontRole::kLabel, ui.tr(other.label)).x + ui.px(45) : ui.px(44);
    button(ui,
           {.name = other.name,
            .label = ui.tr(other.label),
            .command = other.command,
            .enabled = ready,
            .rect = place(width)},
           ButtonLook::kFramed, other.icon);
  }
  return at.x;
}

void PlayBar::draw_figures(Ui& ui, const RunView& run, Rect rect, bool large) {
  const Figures& f = figures(ui, run);
  struct Figure {
    std::string label, value, more;
    float share;  // of the width
  };
  const Figure all[] = {
      {ui.tr(Text::figure_step), f.step, "", 0.2f},
      {ui.tr(Text::figure_loss), f.loss, "", 0.24f},
      {ui.tr(f.measure), f.right, "", 0.24f},
      {ui.tr(Text::figure_speed), f.speed, f.left.empty() ? "" : " · " + f.left, 0.32f}};
  const FontRole role = large ? FontRole::kFigure : FontRole::kNumber;
  const bool stacked = large || is_narrow(ui, rect.width());
  float x = rect.min.x;
  for (const Figure& figure : all) {
    const float width = rect.width() * figure.share;
    const ImVec2 value = ui.measure(role, figure.value);
    const float room = stacked ? width - ui.px(4) : width - value.x - ui.px(10);
    // The second half of a label goes where there is no room for it.
    std::string words = figure.label + figure.more;
    if (ui.measure(FontRole::kLabel, words).x > room) words = figure.label;
    const ImVec2 label = ui.measure(FontRole::kLabel, words);
    if (stacked) {
      const float top = rect.min.y + (rect.height() - label.y * 0.9f - value.y * 0.9f) / 2;
      ui.text(ImVec2(x, top), FontRole::kLabel, ui.palette.muted, words, {.max_width = room});
      ui.text(ImVec2(x, top + label.y * 0.9f), role, ui.palette.text, figure.value);
    } else {
      const float middle = (rect.min.y + rect.max.y) / 2;
      ui.text(ImVec2(x, middle - value.y / 2), role, ui.palette.text, figure.value);
      ui.text(ImVec2(x + value.x + ui.px(5), middle - label.y / 2), FontRole::kLabel,
              ui.palette.muted, words, {.max_width = room});
    }
    x += width;
  }
  ui.mirror.readout({"progress", ui.tr(Text::figure_step), progress(ui, run)});
}

std::string PlayBar::short_progress(const Ui& ui, const RunView& run) {
  const Figures& f = figures(ui, run);
  return std::string(ui.tr(Text::figure_loss)) + " " + f.loss + " · " + ui.tr(f.measure) + " " +
         f.right + " · " + ui.tr(Text::figure_speed) + " " + f.speed;
}

std::string PlayBar::progress(const Ui& ui, const RunView& run) {
  const Figures& f = figures(ui, run);
  return fill(ui.tr(Text::progress_readout),
              {f.step, readable_number(static_cast<double>(run.now().total_steps)), f.loss, f.right,
               f.speed});
}

float PlayBar::draw(Ui& ui, const RunView& run, ImVec2 top, float width) {
  const Properties table = properties(ui.settings);
  const Property& pace = *find_property(table, "pace");
  const float inset = ui.px(8);
  if (width >= ui.px(1000)) {
    const float height = ui.px(48);
    float x = draw_buttons(ui, run, ImVec2(top.x, top.y + inset), height, true) + ui.px(8);
    const float pace_width = ui.px(300);
    const float label = ui.measure(FontRole::kLabel, label_of(ui, pace)).x;
    const float control = control_height(ui), pace_y = top.y + inset + (height - control) / 2;
    ui.text(ImVec2(x, pace_y + (control - ui.measure(FontRole::kLabel, " ").y) / 2),
            FontRole::kLabel, ui.palette.muted, label_of(ui, pace));
    x += label + ui.px(8);
    segments(ui, pace, {ImVec2(x, pace_y), ImVec2(x + pace_width, pace_y + control)});
    x += pace_width + ui.px(24);
    draw_figures(ui, run, {ImVec2(x, top.y + inset), ImVec2(top.x + width, top.y + inset + height)},
                 true);
    return top.y + height + 2 * inset;
  }
  const float height = ui.px(44);
  const bool one_row = width >= ui.px(520);
  const float x = draw_buttons(ui, run, ImVec2(top.x, top.y + inset), height, false);
  float y = top.y + inset;
  if (one_row) {
    segments(ui, pace, {ImVec2(x + ui.px(4), y), ImVec2(top.x + width, y + height)});
  } else {
    y += height + ui.px(8);
    segments(ui, pace, {ImVec2(top.x, y), ImVec2(top.x + width, y + height)});
  }
  y += height + ui.px(4);
  const float figures_height = ui.px(is_narrow(ui, width) ? 40 : 28);
  draw_figures(ui, run, {ImVec2(top.x, y), ImVec2(top.x + width, y + figures_height)}, false);
  return y + figures_height;
}

void PlayBar::draw_small(Ui& ui, const RunView& run, Rect rect) {
  const float x = draw_buttons(ui, run, rect.min, rect.height(), false);
  const Figures& f = figures(ui, run);
  const ImVec2 size = ui.measure(FontRole::kNumber, f.step);
  const ImVec2 label = ui.measure(FontRole::kLabel, ui.tr(Text::figure_step));
  const float middle = (rect.min.y + rect.max.y) / 2;
  ui.text(ImVec2(x + ui.px(4), middle - size.y), FontRole::kNumber, ui.palette.text, f.step);
  ui.text(ImVec2(x + ui.px(4), middle), FontRole::kLabel, ui.palette.muted,
          ui.tr(Text::figure_step), {.max_width = std::max(rect.max.x - x - ui.px(4), label.x)});
  ui.mirror.readout({"progress", ui.tr(Text::figure_step), progress(ui, run)});
}

}  // namespace tp::ui
