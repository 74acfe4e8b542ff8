#include "imgui_app/widgets/samples.h"

#include <algorithm>
#include <string>

#include "imgui_app/widgets/answer.h"
#include "imgui_app/widgets/depiction.h"

namespace tp::ui {
namespace {

constexpr FontRole kFont = FontRole::kSmallNumber;
constexpr float kTextRow = 20, kMark = 22, kPicture = 42, kPriceWidth = 116;
constexpr const char* kArrow = " → ";

bool is_ascii(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

std::string filled(const std::string& text, std::size_t letters, bool in_front) {
  const std::string air(letters > text.size() ? letters - text.size() : 0, ' ');
  return in_front ? air + text : text + air;
}

// The first letters of a text that was just drawn get the colours of their depth: four corners
// each.
void colour_brackets(const Ui& ui, std::span<const std::int32_t> depths, int first_corner) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const int letters = (list.VtxBuffer.Size - first_corner) / 4;
  if (letters < static_cast<int>(depths.size())) return;
  for (const std::int32_t depth : depths) {
    for (int i = 0; i < 4; ++i) {
      list.VtxBuffer[first_corner++].col = ui.colour(depth_colour(ui, depth));
    }
  }
}

// What was given is muted, what was written stands on a ground of its own.
void draw_continued(Ui& ui, const Sample& sample, ImVec2 at, float width, float row) {
  const std::string written = ui.in_one_line(kFont, sample.produced, width * 0.6f);
  const float own = ui.measure(kFont, written).x + ui.px(8);
  const std::string given = ui.in_one_line(kFont, sample.source, width - own);
  const ImVec2 size = ui.measure(kFont, given);
  const float y = at.y + (row - size.y) / 2;
  ui.text(ImVec2(at.x, y), kFont, ui.palette.muted, given);
  const float left = at.x + size.x;
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(left, at.y + ui.px(1)),
                                            ImVec2(left + own, at.y + row - ui.px(1)),
                                            ui.colour(ui.palette.raised), ui.px(3));
  ui.text(ImVec2(left + ui.px(4), y), kFont, ui.palette.text, written);
}

}  // namespace

SampleGrid::SampleGrid(const Ui& ui, std::span<const Sample> samples, float width)
    : samples_(samples.first(std::min<std::size_t>(samples.size(), 6))),
      width_(width),
      row_(ui.px(kTextRow)) {
  if (samples_.empty()) return;
  const Depiction& drawn = samples_.front().drawn;
  const float line = ui.measure(kFont, " ").y;
  if (drawn.is_drawn()) {
    float least = ui.px(drawn.is_line() ? kPriceWidth : kPicture + kMark);
    for (const Sample& sample : samples_) {
      if (drawn.is_picture()) {
        least = std::max(least, ui.measure(kFont, sample.produced).x + ui.px(6));
      }
    }
    columns_ = std::clamp(static_cast<int>(width / least), 1, 6);
    width_ = width / static_cast<float>(columns_);
    row_ = ui.px(kPicture) + (drawn.is_picture() ? line : 0) + ui.px(6);
    return;
  }
  // In columns, so that the same places stand under each other.
  for (const Sample& sample : samples_) {
    source_ = std::max(source_, sample.source.size());
    produced_ = std::max(produced_, sample.produced.size());
  }
  const std::string longest(source_ + produced_ + 3, '0');
  const bool columns = std::ranges::all_of(samples_, [](const Sample& sample) {
    return is_ascii(sample.source) && is_ascii(sample.produced);
  });
  if (!columns || ui.measure(kFont, longest).x > width - ui.px(kMark)) source_ = produced_ = 0;
}

int SampleGrid::fitting(float height) const {
  const int rows = static_cast<int>(std::max(height, 0.0f) / row_);
  return std::min(columns_ * rows, static_cast<int>(samples_.size()));
}

float SampleGrid::height_of(int samples) const {
  const int rows = (samples + columns_ - 1) / columns_;
  return static_cast<float>(rows) * row_;
}

void SampleGrid::draw(Ui& ui, int count, ImVec2 at) const {
  for (int i = 0; i < count; ++i) {
    const Sample& sample = samples_[static_cast<std::size_t>(i)];
    const int row = i / columns_;
    const ImVec2 place(at.x + static_cast<float>(i % columns_) * width_,
                       at.y + static_cast<float>(row) * row_);
    if (sample.drawn.is_drawn()) {
      draw_drawing(ui, sample, i, place);
    } else {
      draw_text(ui, sample, place);
    }
  }
}

void SampleGrid::draw_text(Ui& ui, const Sample& sample, ImVec2 at) const {
  if (!sample.judged) return draw_continued(ui, sample, at, width_, row_);
  const float room = width_ - ui.px(kMark);
  const std::string given = filled(sample.source, source_, sample.drawn.digits);
  // The answer matters more, but without the question it says nothing.
  const float answer = ui.measure(kFont, kArrow + sample.produced).x;
  const std::string source = ui.in_one_line(kFont, given, std::max(room - answer, room * 0.3f));
  const float rest = room - ui.measure(kFont, source + kArrow).x;
  const std::string produced =
      sample.drawn.digits ? filled(sample.produced, produced_, true) : sample.produced;
  const std::string text = source + kArrow + ui.in_one_line(kFont, produced, rest);
  const ImVec2 size = ui.measure(kFont, text);
  draw_mark(ui, ImVec2(at.x + ui.px(8), at.y + row_ / 2), sample.right);
  const int first_corner = ImGui::GetWindowDrawList()->VtxBuffer.Size;
  ui.text(ImVec2(at.x + ui.px(kMark), at.y + (row_ - size.y) / 2), kFont,
          sample.right ? ui.palette.right : ui.palette.text, text, {.max_width = room});
  if (source == given) colour_brackets(ui, sample.drawn.depths, first_corner);
}

void SampleGrid::draw_drawing(Ui& ui, const Sample& sample, int index, ImVec2 at) const {
  const Depiction& drawn = sample.drawn;
  const float high = ui.px(kPicture), mark = ui.px(kMark - 4);
  const Rect picture{
      at, ImVec2(at.x + (drawn.is_line() ? width_ - mark - ui.px(8) : high), at.y + high)};
  Action action{.name = "sample_" + std::to_string(index),
                .label = sample.produced,
                .command = ui_command::Try{sample.source},
                .rect = {at, ImVec2(picture.max.x + mark, picture.max.y)}};
  ImGui::SetCursorScreenPos(at);
  if (ImGui::InvisibleButton(action.name.c_str(),
                             ImVec2(action.rect.width(), action.rect.height()))) {
    ui.commands.push_back(action.command);
  }
  if (ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    ImGui::GetWindowDrawList()->AddRectFilled(action.rect.min, action.rect.max,
                                              ui.colour(ui.palette.raised), ui.px(4));
  }
  ui.mirror.action(std::move(action));
  draw_depiction(ui, drawn, picture);
  draw_mark(ui, ImVec2(picture.max.x + mark / 2, (at.y + picture.max.y) / 2), sample.right);
  if (drawn.is_picture()) {
    ui.text(ImVec2(at.x, picture.max.y + ui.px(2)), kFont,
            sample.right ? ui.palette.right : ui.palette.text, sample.produced,
            {.max_width = width_ - ui.px(4)});
  }
}

float draw_brackets(Ui& ui, const std::vector<std::string>& brackets,
                    std::span<const std::int32_t> depths, ImVec2 at, float width) {
  std::string text;
  for (const std::string& bracket : brackets) text += bracket;
  if (ui.measure(FontRole::kNumber, text).x > width) return 0;
  const int first_corner = ImGui::GetWindowDrawList()->VtxBuffer.Size;
  const float high = ui.text(at, FontRole::kNumber, ui.palette.text, text).y;
  colour_brackets(ui, depths, first_corner);
  return high;
}

void draw_sample_line(Ui& ui, const Sample& sample, Rect rect) {
  const Depiction& drawn = sample.drawn;
  if (!drawn.is_drawn()) {
    const SampleGrid one(ui, std::span(&sample, 1), rect.width());
    return one.draw(ui, 1, ImVec2(rect.min.x, rect.min.y + (rect.height() - one.height_of(1)) / 2));
  }
  const float high = std::min(rect.height() - ui.px(4), ui.px(kPicture));
  const ImVec2 min(rect.min.x + ui.px(kMark), rect.min.y + (rect.height() - high) / 2);
  const Rect picture{min, ImVec2(min.x + high * (drawn.is_line() ? 3 : 1), min.y + high)};
  draw_mark(ui, ImVec2(rect.min.x + ui.px(8), (picture.min.y + picture.max.y) / 2), sample.right);
  draw_depiction(ui, drawn, picture);
  const ImVec2 size = ui.measure(kFont, sample.produced);
  ui.text(ImVec2(picture.max.x + ui.px(4), picture.min.y + (high - size.y) / 2), kFont,
          sample.right ? ui.palette.right : ui.palette.text, kArrow + sample.produced,
          {.max_width = rect.max.x - picture.max.x - ui.px(4)});
}

}  // namespace tp::ui
