// What of the plots answers to a pointer: the time machine, zoom, the values of a step, marks.

#include <algorithm>
#include <cmath>

#include "imgui_app/panels/curve_plots.h"
#include "imgui_app/panels/curve_words.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

constexpr double kCounterPause = 100;  // milliseconds

}  // namespace

void CurvePlots::zoom(const RunView& run, double factor) {
  if (factor <= 0) return zoom_.reset();
  const PlotAxis now = zoom_.value_or(PlotAxis{0, last_});
  const auto moment = static_cast<double>(run.now().moment.step);
  const bool inside = moment >= now.from && moment <= now.to;
  const double centre = inside ? moment : (now.from + now.to) / 2;
  const double width = std::max((now.to - now.from) / factor, kFewestSteps);
  if (width >= last_) return zoom_.reset();
  const double from = std::clamp(centre - width / 2, 0.0, last_ - width);
  zoom_ = PlotAxis{std::floor(from), std::ceil(from + width)};
  moment_inside_ = inside;
}

// Takes over what ImPlot did with the steps in this frame.
void CurvePlots::take_zoom(Ui& ui) {
  if (view_.from == source_.from && view_.to == source_.to) return;
  zoom_ = view_;
  if (view_.from <= 0 && view_.to >= last_) zoom_.reset();
  moment_inside_ = false;  // it may be elsewhere now, and is not to be followed then
  ui.animating = true;     // drawn with the old steps; once more with the new ones
}

// Dragging the numbers of the steps moves along them.
void CurvePlots::pan_by_numbers(Ui& ui, Rect numbers) {
  if (!zoomed()) return;
  ImGui::SetCursorScreenPos(numbers.min);
  ImGui::InvisibleButton("curves steps", ImVec2(numbers.width(), numbers.height()));
  ui.mirror.grabs(numbers);
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (!ImGui::IsItemActive() || !ImGui::IsMousePosValid()) return;
  const double width = view_.to - view_.from;
  const double from = view_.from - ImGui::GetIO().MouseDelta.x * width / numbers.width();
  view_.from = std::clamp(from, 0.0, std::max(0.0, last_ - width));
  view_.to = view_.from + width;
}

// The line of the pointer and that of the moment. In the plot of the loss a press anywhere goes to
// that moment, in the others the line itself is to be taken.
void CurvePlots::point(Ui& ui, const RunView& run, const Part& part) {
  const float hair = std::max(1.0f, ui.px(1));
  const bool first = part.kind == CurveKind::kLoss;
  if (pointer_ && !time_.dragging()) {
    draw_plot_step(ui, *pointer_, {ui.palette.edge, 0.8f, hair}, false);
  }
  if (plot_hovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) zoom_.reset();
  if (plot_hovered()) next_pointer_ = plot_pointer().x;
  if (time_.line().empty()) return;
  const auto step = static_cast<double>(time_.step(run));
  const PlotGrip grip = draw_plot_grip(ui, step);
  if (grip.hovered || grip.held) next_pointer_ = plot_pointer().x;
  const ImVec2 handle(std::round(plot_pixel({step, 1}).x), part.area.max.y);
  if (first && step >= view_.from && step <= view_.to) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (grip.hovered || grip.held || pressed_) {
      list.AddCircleFilled(handle, ui.px(10), ui.colour(ui.palette.accent, 0.25f));
    }
    list.AddCircleFilled(handle, ui.px(6), ui.colour(ui.palette.accent));
    list.AddCircle(handle, ui.px(6), ui.colour(ui.palette.panel), 0, hair);
  }
  if (first) {
    // A finger presses in the frame in which it arrives, before anything hovers.
    pressed_ |= ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
                part.area.contains(ImGui::GetIO().MousePos);
    pressed_ &= ImGui::IsMouseDown(ImGuiMouseButton_Left);
    if (plot_hovered() || pressed_) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  }
  if (!(first && pressed_) && !grip.held) return;
  held_ = true;
  if (!ImGui::IsMousePosValid()) return;  // the browser may take a finger away
  time_.hold(ui, run, std::clamp(plot_pointer().x, view_.from, view_.to),
             grip.held ? time_.leaf() : branch_under_pointer(ui, run));
}

// The branch whose loss is nearest to the pointer. The line followed is preferred: another one must
// be clearly nearer.
std::int32_t CurvePlots::branch_under_pointer(const Ui& ui, const RunView& run) {
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  const auto step = static_cast<std::uint64_t>(std::max(0.0, std::round(plot_pointer().x)));
  const auto distance = [&](const CurveLine& line) {
    const auto there = value_at(line, CurveKind::kLoss, source_.goal, CurveOf::kTrain, step);
    if (!there || step > last_step(line) || !std::isfinite(there->y)) return ui.px(10'000);
    return std::abs(plot_pixel(*there).y - pointer.y);
  };
  float nearest = std::min(distance(time_.line()) - ui.px(16), ui.px(60));
  std::int32_t found = time_.leaf();
  for (const Stretch& stretch : beside_line(run.runs().back(), time_.leaf())) {
    const float there = distance({stretch});
    if (there >= nearest) continue;
    nearest = there;
    found = stretch.curves->branch.id;
  }
  return found;
}

// At the end of a frame: the step whose values stand in the captions of the next one.
void CurvePlots::note_pointer(Ui& ui, const RunView& run) {
  if (!held_) time_.release();
  ui.animating |= pointer_ != next_pointer_;
  pointer_ = next_pointer_;
  std::uint64_t step = time_.step(run);
  const bool pointed = pointer_ && !time_.dragging();
  if (pointed) {
    step = std::min(static_cast<std::uint64_t>(std::max(0.0, std::round(*pointer_))),
                    std::max(last_step(time_.line()), step));
  }
  const bool pause = ui.time >= shown_since_ && ui.time - shown_since_ < kCounterPause;
  if (step == shown_step_ || (pause && run.running() && !pointed && !time_.dragging())) return;
  shown_step_ = step;
  shown_since_ = ui.time;
  ui.animating = true;
}

// Moments to go back to: faint ticks on the floor of the loss.
void CurvePlots::draw_kept(const Ui& ui, const RunView& run, float floor) {
  float last = -1e9f;
  for (const Moment& moment : run.now().kept) {
    const auto step = static_cast<double>(moment.step);
    if (step < view_.from || step > view_.to || !on_line(time_.line(), moment)) continue;
    const float x = std::round(plot_pixel({step, 1}).x);
    if (std::abs(x - last) < ui.px(3)) continue;
    last = x;
    ImGui::GetWindowDrawList()->AddLine(ImVec2(x, floor - ui.px(5)), ImVec2(x, floor),
                                        ui.colour(ui.palette.edge, 0.8f), std::max(1.0f, ui.px(1)));
  }
}

// Above the plots: a sign for each mark, and its words where they fit before the next one.
void CurvePlots::draw_marks(Ui& ui, Rect lane) {
  pointed_marks_.clear();
  struct Place {
    std::size_t index;
    float x;
  };
  std::vector<Place> places;
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    const auto step = static_cast<double>(marks_[i].step);
    if (step < source_.from || step > source_.to) continue;
    const double share = (step - source_.from) / (source_.to - source_.from);
    places.push_back({i, std::round(lane.min.x + static_cast<float>(share) * lane.width())});
  }
  if (places.empty()) return;
  ImGui::SetCursorScreenPos(lane.min);
  ImGui::InvisibleButton("curves marks", ImVec2(lane.width(), lane.height()));
  if (ImGui::IsItemHovered()) {
    const float reach = ui.px(ui.touch ? 22 : 7), pointer = ImGui::GetIO().MousePos.x;
    for (const Place& place : places) {
      if (std::abs(place.x - pointer) <= reach) pointed_marks_.push_back(place.index);
    }
    if (!pointed_marks_.empty()) tooltip(ui, event_words(ui));
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float size = ui.px(4), y = lane.max.y - ui.px(2),
              line = ui.measure(FontRole::kLabel, " ").y;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const CurveMark& mark = marks_[places[i].index];
    const float x = places[i].x;
    const bool pointed = std::ranges::find(pointed_marks_, places[i].index) != pointed_marks_.end();
    const Colour colour = pointed ? ui.palette.text : ui.palette.muted;
    if (mark.event == nullptr) {  // a diamond: the model did it; a triangle: a person did
      list.AddQuadFilled(ImVec2(x, y - 2 * size), ImVec2(x + size, y - size), ImVec2(x, y),
                         ImVec2(x - size, y - size), ui.colour(colour));
    } else {
      list.AddTriangleFilled(ImVec2(x - size, y - 1.6f * size), ImVec2(x + size, y - 1.6f * size),
                             ImVec2(x, y), ui.colour(colour));
    }
    const std::string words = mark_words(ui, mark);
    const float left = x + size + ui.px(4);
    const float end = i + 1 < places.size() ? places[i + 1].x - 2 * size : lane.max.x;
    if (left + ui.measure(FontRole::kLabel, words).x <= end) {
      ui.text(ImVec2(left, lane.max.y - line), FontRole::kLabel, colour, words);
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
