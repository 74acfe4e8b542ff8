#pragma once

#include <string>
#include <utility>
#include <vector>

#include "imgui_app/draw/ui.h"
#include "imgui_app/model/model_map.h"
#include "imgui_app/model/run_view.h"
#include "imgui_app/widgets/heatmap.h"

namespace tp::ui {

// Where the chosen number of Inside came from: its equation with the numbers filled in, the cells
// that it was made from, each a press away, and what the loss thinks of it.
class InsideNumber {
 public:
  float height() const { return height_; }  // that it needs, as drawn last
  // `path` is the tensor that is shown, or its gradient.
  void draw(Ui& ui, const RunView& run, const std::string& path, Rect rect);
  // The cells that the number was made from.
  const std::vector<std::pair<std::string, Cell>>& inputs() const { return inputs_; }

 private:
  void ask(Ui& ui, const RunView& run, const std::string& path, Cell cell);
  float draw_equation(Ui& ui, const Explanation& explanation, ImVec2 at, float width);
  float draw_terms(Ui& ui, const Explanation& explanation, ImVec2 at, float width);
  float draw_derivative(Ui& ui, const Explanation& explanation, ImVec2 at, float width);
  float draw_cell(Ui& ui, const std::string& name, const std::string& path, Cell cell, ImVec2 at,
                  float most);

  std::string asked_;       // path, cell and run of the last question
  double asked_at_ = -1e9;  // milliseconds
  std::vector<std::pair<std::string, Cell>> inputs_;
  float height_ = 0;
};

}  // namespace tp::ui
