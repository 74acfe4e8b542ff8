#pragma once

#include <optional>
#include <string>
#include <vector>

#include "imgui_app/draw/ui.h"
#include "imgui_app/model/model_map.h"
#include "imgui_app/model/run_view.h"
#include "imgui_app/widgets/heatmap.h"

namespace tp::ui {

// The chosen tensor of Inside: as a map with its tokens or as numbers, as histogram and in figures;
// or its gradient. Beside another tensor or an earlier step, or what is left when that is
// subtracted.
class Microscope {
 public:
  // What it shows.
  std::vector<std::string> drawn(const Settings& settings, const ModelMap& map, int chosen) const;
  // Keeps what is shown now, to compare with.
  void pin(const RunView& run);

  float height() const { return height_; }  // that it needs, as drawn last
  void draw(Ui& ui, const RunView& run, const ModelMap& map, int chosen, Rect rect);

  // The path that is shown: of the tensor, or of its gradient.
  const std::string& path() const { return first_.tensor.path; }
  // Cells to outline, where they are of the tensor that is shown.
  std::vector<std::pair<std::string, Cell>> inputs;

 private:
  // A tensor with what there is to say of it, for as long as its numbers stay the same.
  struct Shown {
    WatchedTensor tensor = {};
    Moment moment = {};
    TensorStatistics statistics = {};
    std::vector<std::uint32_t> histogram = {};
    int not_finite = 0;
    int version = 0;
    bool there() const { return !tensor.values.empty(); }
  };
  void take(const RunView& run, const std::string& path, Shown& shown);
  void count(Shown& shown);
  void follow(Ui& ui, const RunView& run, const ModelMap& map, int chosen);
  float draw_fields(Ui& ui, const ModelMap& map, int chosen, Rect rect);
  float draw_completions(Ui& ui, const ModelMap& map, std::string_view setting,
                         const std::string& typed, ImVec2 at, float width);
  float draw_choices(Ui& ui, bool has_gradient, Rect rect);
  float draw_maps(Ui& ui, const RunView& run, Rect rect);
  void draw_one(Ui& ui, const RunView& run, const Shown& shown, const char* name, Rect rect);
  void crop(const Ui& ui, const Shown& shown, Cell chosen, Rect rect, HeatmapView& view);
  float draw_histogram(Ui& ui, const Shown& shown, Rect rect);
  float draw_figures(Ui& ui, const Shown& shown, ImVec2 at, float width);

  Shown first_, second_, difference_;
  std::optional<Shown> pinned_;
  std::string problem_;  // why there is no second one, or no gradient
  struct Cropped {       // the cells that are written as numbers
    std::vector<float> values;
    int version = 0;
  };
  Cropped cropped_, cropped_second_;
  int versions_ = 0;  // of all maps: those of one name must not share one
  float height_ = 0;
};

}  // namespace tp::ui
