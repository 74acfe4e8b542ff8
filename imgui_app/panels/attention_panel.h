#pragma once

#include <optional>
#include <string>
#include <vector>

#include "imgui_app/draw/ui.h"
#include "imgui_app/model/attention_choice.h"
#include "imgui_app/model/run_view.h"
#include "imgui_app/panels/attention_layout.h"
#include "imgui_app/panels/panel.h"
#include "imgui_app/widgets/heatmap.h"

namespace tp::ui {

// Where each written token looks: one map in large, all heads in small, how it came about.
class AttentionPanel : public Panel {
 public:
  Watch watches() const override {
    return {.paths = {{std::string(kAttentionPaths)}}, .stills = true};
  }
  void draw(Ui& ui, const RunView& run, Rect rect, bool) override { draw(ui, run, rect); }
  void draw(Ui& ui, const RunView& run, Rect rect);
  // What it takes in a single column.
  float height_for(const Ui& ui, float width) const override;
  float weight() const override { return 5; }
  bool with_strips() const override { return true; }
  // Shows a cell of the large map as if the pointer were over it; nothing when `cell` is empty.
  bool point_at(const RunView& run, std::optional<Cell> cell);
  bool perform(const UiCommand& command, const RunView& run) override {
    const auto* at = std::get_if<ui_command::Point>(&command);
    return at != nullptr && at->map == "attention" && point_at(run, cell_of(*at));
  }

 private:
  void draw_empty(Ui& ui, const RunView& run, Rect rect);
  void follow_run(Ui& ui, const RunView& run, const AttentionChoice& choice);
  void draw_heading(Ui& ui, const AttentionChoice& choice, const AttentionLayout& layout);
  void draw_picture(Ui& ui, const AttentionChoice& choice, const AttentionLayout& layout);
  Lit draw_whole(Ui& ui, const AttentionChoice& choice, Rect rect);
  void draw_caption(Ui& ui, const AttentionChoice& choice, Rect rect);
  AttentionPicture picture(const Ui& ui) const;
  std::span<const float> shown_weights(const AttentionChoice& choice) const;
  std::string describe(const Ui& ui, const AttentionChoice& choice) const;
  std::string describe_lit(const Ui& ui, const AttentionChoice& choice) const;

  int version_ = -1;  // of the maps that the following were made from
  int pictures_ = 0;  // grows whenever a small map may have changed
  std::string subject_;
  std::vector<ShownToken> rows_, columns_;
  Depiction drawn_;  // in place of tokens that are patches
  std::vector<ShownLink> targets_;
  AttentionKind kind_ = AttentionKind::cross;
  AttentionContents contents_;
  bool of_typed_ = false;  // the map is of what was typed
  HeadWatch watch_;
  Blend blend_;
  int head_ = 0;  // the one shown: the chosen one, or one that took over from the mean
  Lit lit_, locked_;
  std::optional<Cell> pointed_;
};

}  // namespace tp::ui
