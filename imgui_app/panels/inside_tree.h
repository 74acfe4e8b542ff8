#pragma once

#include <string>
#include <utility>
#include <vector>

#include "imgui_app/draw/ui.h"
#include "imgui_app/model/model_map.h"
#include "imgui_app/model/run_view.h"
#include "imgui_app/widgets/heatmap.h"

namespace tp::ui {

// The map of Inside: the model as blocks, the side that reads at the left and the one that writes
// at the right. A block opens in place, down to single tensors.
class InsideTree {
 public:
  // Makes the tensor visible.
  void reveal(const ModelMap& map, int node);
  bool fold(const ModelMap& map, const std::string& path);

  // The tensors that are drawn small.
  std::vector<std::string> drawn(const ModelMap& map, bool gradients) const;

  float height(const Ui& ui, const ModelMap& map, float width) const;
  void draw(Ui& ui, const RunView& run, const ModelMap& map, int chosen, Rect rect);
  // Cells that are outlined in their small maps.
  std::vector<std::pair<std::string, Cell>> inputs;

 private:
  struct Row {
    int node;
    Rect rect;
  };
  struct Plan {
    std::vector<Row> rows;  // in the order of computation
    float height = 0;
    bool two_columns = false;
  };
  Plan plan(const Ui& ui, const ModelMap& map, float width) const;
  void add_rows(const Ui& ui, const ModelMap& map, int node, float left, float width, float& y,
                std::vector<Row>& rows) const;
  bool is_open(const std::string& path) const;
  int lit_row(Ui& ui, const RunView& run, int rows);
  void draw_row(Ui& ui, const RunView& run, const ModelMap& map, const Row& row, bool chosen,
                bool lit);

  void outline_inputs(Ui& ui, const std::string& path, int rows, int columns, Rect thumb) const;

  std::vector<std::string> open_;
  // Slow motion: the step that is walked through, and since when.
  std::uint64_t step_ = 0;
  double since_ = -1e9;
};

// The name of a block, part or tensor in the language shown.
std::string node_label(const Ui& ui, const ModelMap& map, int node);
// "10 × 64"
std::string shape_text(int rows, int columns);
// 0.0832, −12.4107, 1.3e-06
std::string number_text(double value);
// The colour of a tensor's kind, as text.
Colour kind_colour(const Palette& palette, TensorKind kind);
// Signed values around zero, up to the largest; of attention weights and probabilities, from 0
// to 1.
HeatmapImage tensor_image(const WatchedTensor& tensor, int version);

}  // namespace tp::ui
