// What of the plots answers to a pointer: zoom, the values of a step, marks, the time machine.

#include <algorithm>
#include <cmath>

#include "imgui_app/panels/curve_measures.h"
#include "imgui_app/panels/curve_plots.h"
#include "imgui_app/panels/curve_words.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

constexpr double kDoubleClick = 350, kCounterPause = 100;  // milliseconds
constexpr double kFewestSteps = 4;                         // that a zoom shows

}  // namespace

void CurvePlots::zoom(const RunView& run, double factor) {
  if (factor <= 0) return zoom_.reset();
  const Steps now = zoom_.value_or(Steps{0, last_});
  const auto moment = static_cast<double>(run.now().moment.step);
  const bool inside = moment >= now.from && moment <= now.to;
  const double centre = inside ? moment : (now.from + now.to) / 2;
  const double width = std::max((now.to - now.from) / factor, kFewestSteps);
  if (width >= last_) return zoom_.reset();
  const double from = std::clamp(centre - width / 2, 0.0, last_ - width);
  zoom_ = Steps{std::floor(from), std::ceil(from + width)};
  moment_inside_ = inside;
}

// Dragging along any plot but the loss chooses the steps to look at; a double click shows all.
void CurvePlots::select_steps(Ui& ui, std::span<const CurveKind> kinds) {
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  const Plot& loss = plot(kinds.front());
  const Plot& lowest = plot(kinds.back());
  bool pressed = time_.hovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  bool held = false, hovered = time_.hovered();
  for (const CurveKind kind : kinds.subspan(1)) {
    const Plot& p = plot(kind);
    ImGui::SetCursorScreenPos(p.area.min);
    const std::string id = "curves steps " + std::to_string(static_cast<int>(kind));
    ImGui::InvisibleButton(id.c_str(), ImVec2(p.area.width(), p.area.height()));
    hovered |= ImGui::IsItemHovered();
    held |= ImGui::IsItemActive();
    pressed |= ImGui::IsItemActivated();
  }
  if (hovered || held) pointer_ = std::clamp(pointer.x, loss.area.min.x, loss.area.max.x);
  if (pressed) {
    if (zoom_ && ui.time - pressed_at_ < kDoubleClick) zoom_.reset();
    pressed_at_ = ui.time;
  }
  if (held && !selecting_) selecting_ = pointer.x;
  if (!selecting_) return;
  const float from = std::clamp(std::min(*selecting_, pointer.x), loss.area.min.x, loss.area.max.x);
  const float to = std::clamp(std::max(*selecting_, pointer.x), loss.area.min.x, loss.area.max.x);
  // A finger scrolls the page here; it has the buttons.
  const bool wide = !ui.touch && ImGui::IsMousePosValid() && to - from >= ui.px(8);
  if (held) {
    if (!wide) return;
    ImGui::GetWindowDrawList()->AddRectFilled(
        ImVec2(from, loss.area.min.y), ImVec2(to, lowest.area.max.y), ui.colour(ui.palette.raised));
    return;
  }
  selecting_.reset();
  if (!wide) return;
  Steps steps{std::max(0.0, std::floor(loss.lines.x().value(from))),
              std::ceil(loss.lines.x().value(to))};
  if (steps.to - steps.from < kFewestSteps) steps.to = steps.from + kFewestSteps;
  zoom_ = steps;
  moment_inside_ = false;  // it may be elsewhere now, and is not to be followed then
  ui.animating = true;     // drawn with the old steps; once more with the new ones
}

// The step whose values stand in the captions.
void CurvePlots::note_pointer(Ui& ui, const RunView& run, const Plot& loss) {
  std::uint64_t step = time_.step(run);
  const bool pointed = pointer_ && !time_.dragging() && !selecting_;
  if (pointed) {
    step = static_cast<std::uint64_t>(std::max(0.0, std::round(loss.lines.x().value(*pointer_))));
    step = std::min(step, std::max(last_step(time_.line()), time_.step(run)));
  }
  const bool pause = ui.time >= shown_since_ && ui.time - shown_since_ < kCounterPause;
  if (step == shown_step_ || (pause && run.running() && !pointed && !time_.dragging())) return;
  shown_step_ = step;
  shown_since_ = ui.time;
}

// Moments to go back to: faint ticks on the floor of the loss.
void CurvePlots::draw_kept(Ui& ui, const RunView& run, const Plot& loss) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  float last = -1e9f;
  for (const Moment& moment : run.now().kept) {
    const auto step = static_cast<double>(moment.step);
    if (step < source_.from || step > source_.to || !on_line(time_.line(), moment)) continue;
    const float x = std::round(loss.lines.x().pixel(step));
    if (std::abs(x - last) < ui.px(3)) continue;
    last = x;
    list.AddLine(ImVec2(x, loss.area.max.y - ui.px(5)), ImVec2(x, loss.area.max.y),
                 ui.colour(ui.palette.edge, 0.8f), hair(ui));
  }
}

// The line of the pointer and that of the moment, through the plots and not through their captions.
void CurvePlots::draw_moment(Ui& ui, const RunView& run, std::span<const CurveKind> kinds) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Plot& loss = plot(kinds.front());
  const auto through = [&](float x, ImU32 colour) {
    for (const CurveKind kind : kinds) {
      const Rect& area = plot(kind).area;
      list.AddLine(ImVec2(x, area.min.y), ImVec2(x, area.max.y), colour, hair(ui));
    }
  };
  if (pointer_ && !time_.dragging()) {
    through(std::round(*pointer_), ui.colour(ui.palette.edge, 0.8f));
  }
  const auto step = static_cast<double>(time_.step(run));
  if (time_.line().empty() || step < source_.from || step > source_.to) return;
  const float x = std::round(loss.lines.x().pixel(step));
  through(x, ui.colour(ui.palette.accent, 0.8f));
  const ImVec2 handle(x, loss.area.max.y);
  if (time_.hovered()) {
    list.AddCircleFilled(handle, ui.px(10), ui.colour(ui.palette.accent, 0.25f));
  }
  list.AddCircleFilled(handle, ui.px(6), ui.colour(ui.palette.accent));
  list.AddCircle(handle, ui.px(6), ui.colour(ui.palette.panel), 0, hair(ui));
}

void CurvePlots::draw_marks(Ui& ui, const Plot& loss) {
  pointed_marks_.clear();
  const Rect lane{ImVec2(loss.area.min.x, loss.area.min.y - lane_),
                  ImVec2(loss.area.max.x, loss.area.min.y)};
  const auto place_of = [&](const CurveMark& mark) {
    return std::round(loss.lines.x().pixel(static_cast<double>(mark.step)));
  };
  const auto inside = [&](const CurveMark& mark) {
    const auto step = static_cast<double>(mark.step);
    return step >= source_.from && step <= source_.to;
  };
  if (std::ranges::none_of(marks_, inside)) return;
  ImGui::SetCursorScreenPos(lane.min);
  ImGui::InvisibleButton("curves marks", ImVec2(lane.width(), lane.height()));
  if (ImGui::IsItemHovered()) {
    const float reach = ui.px(ui.touch ? 22 : 7), pointer = ImGui::GetIO().MousePos.x;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      if (inside(marks_[i]) && std::abs(place_of(marks_[i]) - pointer) <= reach) {
        pointed_marks_.push_back(i);
      }
    }
    if (!pointed_marks_.empty()) tooltip(ui, event_words(ui));
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  float last = -1e9f;
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    if (!inside(marks_[i])) continue;
    const float x = place_of(marks_[i]);
    const bool pointed = std::ranges::find(pointed_marks_, i) != pointed_marks_.end();
    if (x < last + ui.px(2) && !pointed) continue;
    last = x;
    const ImU32 colour = ui.colour(pointed ? ui.palette.text : ui.palette.muted);
    const float size = ui.px(5), y = lane.max.y - ui.px(1);
    list.AddLine(ImVec2(x, y), ImVec2(x, loss.area.max.y),
                 ui.colour(ui.palette.muted, pointed ? 0.8f : 0.35f), hair(ui));
    if (marks_[i].event == nullptr) {  // a diamond: the model did it; a triangle: somebody did
      list.AddQuadFilled(ImVec2(x, y - 2 * size), ImVec2(x + size, y - size), ImVec2(x, y),
                         ImVec2(x - size, y - size), colour);
    } else {
      list.AddTriangleFilled(ImVec2(x - size, y - 1.6f * size), ImVec2(x + size, y - 1.6f * size),
                             ImVec2(x, y), colour);
    }
  }
}

std::string CurvePlots::event_words(const Ui& ui) const {
  if (pointed_marks_.empty()) return marks_.empty() ? "" : mark_sentence(ui, marks_.back());
  constexpr std::size_t kMost = 4;
  std::string words;
  for (std::size_t i = 0; i < std::min(pointed_marks_.size(), kMost); ++i) {
    words += (i == 0 ? "" : "\n") + mark_sentence(ui, marks_[pointed_marks_[i]]);
  }
  if (pointed_marks_.size() > kMost) {
    words += "\n" + fill(ui.tr(Text::event_more), {std::to_string(pointed_marks_.size() - kMost)});
  }
  return words;
}

}  // namespace tp::ui
