#pragma once

#include <span>
#include <string>
#include <vector>

#include "imgui_app/draw/ui.h"

namespace tp::ui {

// Held-out samples with the model's answers: texts one under the other, drawings side by side.
// An answer that is not judged goes on from what was given.
class SampleGrid {
 public:
  SampleGrid(const Ui& ui, std::span<const Sample> samples, float width);

  int fitting(float height) const;     // how many, at most six
  float height_of(int samples) const;  // of so many
  // The first `count` of them from `at` on. A drawing can be pressed: it becomes the input.
  void draw(Ui& ui, int count, ImVec2 at) const;

 private:
  void draw_text(Ui& ui, const Sample& sample, ImVec2 at) const;
  void draw_drawing(Ui& ui, const Sample& sample, int index, ImVec2 at) const;

  std::span<const Sample> samples_;
  int columns_ = 1;
  float width_, row_;                      // of one sample
  std::size_t source_ = 0, produced_ = 0;  // letters to which texts are filled up; 0: they are not
};

// Brackets in the colours of their depths, where they fit on a line. Returns the height used.
float draw_brackets(Ui& ui, const std::vector<std::string>& brackets,
                    std::span<const std::int32_t> depths, ImVec2 at, float width);

// One sample in a line, for a phone.
void draw_sample_line(Ui& ui, const Sample& sample, Rect rect);

}  // namespace tp::ui
