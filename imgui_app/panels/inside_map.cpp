#include <algorithm>

#include "imgui_app/panels/inside_microscope.h"
#include "imgui_app/panels/inside_number.h"
#include "imgui_app/panels/inside_tree.h"
#include "imgui_app/panels/panel.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

constexpr float kTwoColumns = 780, kThreeColumns = 1060;

// The map of the model and what is chosen there.
class InsideMapView final : public Panel {
 public:
  Watch watches() const override { return watch_; }
  float height_for(const Ui&, float) const override { return height_; }
  void draw(Ui& ui, const RunView& run, Rect rect, bool complete) override;
  bool perform(const UiCommand& command, const RunView& run) override {
    if (std::holds_alternative<ui_command::Pin>(command)) return microscope_.pin(run), true;
    const auto* fold = std::get_if<ui_command::Fold>(&command);
    return fold != nullptr && tree_.fold(map_, fold->path);
  }

 private:
  void follow_run(Ui& ui, const RunView& run);
  void watch_drawn(Ui& ui, const RunView& run);
  void draw_map(Ui& ui, const RunView& run, Rect rect);

  ModelMap map_;
  std::uint32_t mapped_run_ = 0;  // that map_ is of
  InsideTree tree_;
  Microscope microscope_;
  InsideNumber number_;
  std::string chosen_path_;  // as the setting was last
  int chosen_ = -1;
  Watch watch_;
  float height_ = 0, map_height_ = 0;  // that it needs, as drawn last
};

// The tensor that is looked at first: the weights of the last attention.
int first_choice(const ModelMap& map) {
  int found = -1;
  for (int i = 0; i < static_cast<int>(map.nodes().size()); ++i) {
    if (map[i].is_tensor() && (found < 0 || map[i].path.ends_with(".head.0.weights"))) found = i;
  }
  return found;
}

// Everything is listed once for a run; from then on only what is drawn is sent.
void InsideMapView::follow_run(Ui& ui, const RunView& run) {
  const Snapshot& now = run.now();
  const bool listed = std::ranges::any_of(
      now.tensors, [](const WatchedTensor& tensor) { return !tensor.inputs.empty(); });
  const bool is_new = mapped_run_ != now.run && listed;
  if (is_new) {
    map_ = ModelMap(now.tensors);
    mapped_run_ = now.run;
    ui.animating = true;
  }
  if (map_.empty() || (!is_new && chosen_path_ == ui.settings.inside.path)) return;
  const bool first = chosen_path_.empty() && ui.settings.inside.path.empty();
  chosen_path_ = ui.settings.inside.path;
  chosen_ = map_.find(chosen_path_);
  if (chosen_ >= 0) chosen_ = map_[chosen_].output;
  if (chosen_ < 0) chosen_ = first_choice(map_);
  if (!first && chosen_ >= 0) tree_.reveal(map_, chosen_);
  ui.animating = true;
}

void InsideMapView::watch_drawn(Ui& ui, const RunView& run) {
  Watch wanted;
  const bool gradients = ui.settings.inside.size == InsideSize::kGradients;
  if (!map_.empty()) {
    for (std::string& path : tree_.drawn(map_, gradients))
      wanted.paths.push_back({std::move(path)});
  }
  for (std::string& path : microscope_.drawn(ui.settings, map_, chosen_)) {
    const auto same = std::ranges::find(wanted.paths, path, &WatchedPath::pattern);
    if (same == wanted.paths.end()) wanted.paths.push_back({std::move(path)});
  }
  if (mapped_run_ != run.now().run) wanted.paths.push_back({"*", kWantInputs});
  ui.animating |= !(wanted == watch_);
  watch_ = std::move(wanted);
}

void InsideMapView::draw(Ui& ui, const RunView& run, Rect rect, bool) {
  follow_run(ui, run);
  watch_drawn(ui, run);
  const float gap = ui.px(16), width = rect.width(), x = rect.min.x, y = rect.min.y;
  const auto box = [](float left, float top, float w, float h) {
    return Rect{ImVec2(left, top), ImVec2(left + w, top + h)};
  };
  const bool three = width >= ui.px(kThreeColumns);
  const float map_height = map_height_;
  microscope_.inputs = tree_.inputs = number_.inputs();
  if (width >= ui.px(kTwoColumns)) {  // the number at the right, or below the microscope
    const float left = ui.px(400), right = three ? ui.px(320) : 0;
    const float centre = width - left - gap - (three ? right + gap : 0);
    const float lower = three ? 0 : number_.height() + gap, middle = x + left + gap;
    const float height =
        std::max({rect.height(), map_height, microscope_.height() + lower, number_.height()});
    draw_map(ui, run, box(x, y, left, height));
    microscope_.draw(ui, run, map_, chosen_, box(middle, y, centre, height - lower));
    number_.draw(ui, run, microscope_.path(),
                 three ? box(middle + centre + gap, y, right, height)
                       : box(middle, y + height - lower + gap, centre, lower - gap));
    height_ = std::max({map_height_, microscope_.height() + (three ? 0 : number_.height() + gap),
                        number_.height()});
    return;
  }
  float top = y;
  draw_map(ui, run, box(x, top, width, map_height));
  top += map_height + gap;
  const float microscope = microscope_.height(), number = number_.height();
  microscope_.draw(ui, run, map_, chosen_, box(x, top, width, microscope));
  top += microscope + gap;
  number_.draw(ui, run, microscope_.path(), box(x, top, width, number));
  height_ = top + number - y;
  ui.animating |=
      map_height != map_height_ || microscope != microscope_.height() || number != number_.height();
}

void InsideMapView::draw_map(Ui& ui, const RunView& run, Rect rect) {
  const Rect inside = ui.panel(rect, ui.tr(Text::inside_map));
  if (map_.empty()) {
    ui.text(inside.min, FontRole::kBody, ui.palette.muted, ui.tr(Text::inside_waiting),
            {.wrap_width = inside.width()});
    map_height_ = ui.px(240);
    return;
  }
  const Properties table = properties(ui.settings);
  Rect at = inside;
  segments(ui, *find_property(table, "inside_size"),
           {at.min, ImVec2(at.max.x, at.min.y + control_height(ui))});
  at.min.y += control_height(ui) + ui.px(12);
  const bool gradients = ui.settings.inside.size == InsideSize::kGradients;
  const std::string legend =
      fill(ui.tr(Text::inside_legend), {gradients ? "1e-7" : "0.001", gradients ? "0.1" : "10"});
  at.min.y +=
      ui.text(at.min, FontRole::kLabel, ui.palette.muted, legend, {.wrap_width = at.width()}).y +
      ui.px(8);
  tree_.draw(ui, run, map_, chosen_, at);
  map_height_ = at.min.y + tree_.height(ui, map_, at.width()) + ui.px(16) - rect.min.y;
}

}  // namespace

std::unique_ptr<Panel> make_inside_map_view(RunEditor&) {
  return std::make_unique<InsideMapView>();
}

}  // namespace tp::ui
