#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/property.h"
#include "imgui_app/strings/strings.h"

namespace tp::ui {

enum class Theme { kSystem, kDark, kLight };
enum class TextSize { k100, k125, k150, k200 };

// The names of the panels, in the order of the tabs.
inline constexpr std::string_view kPanelNames[] = {
#define TP_PANEL(name) #name,
#include "imgui_app/panels/panel_list.inc"
#undef TP_PANEL
};
inline constexpr int kPanels = static_cast<int>(std::size(kPanelNames));
constexpr int panel_named(std::string_view name) {
  return static_cast<int>(std::find(kPanelNames, kPanelNames + kPanels, name) - kPanelNames);
}

// The views of Inside.
inline constexpr std::string_view kInsideViewNames[] = {
#define TP_INSIDE_VIEW(name) #name,
#include "imgui_app/panels/inside_views.inc"
#undef TP_INSIDE_VIEW
};
inline constexpr int kInsideViews = static_cast<int>(std::size(kInsideViewNames));

// Steps a second.
enum class Pace { k1, k5, k10, k30, kFlatOut };

enum class ShownAttention { kCross, kEncoder, kDecoder };
enum class AttentionView { kMap, kLines };
// Of what the map is: a held-out example, or what was typed while there is something.
enum class ExampleOf { kHeldOut, kTyped };

// Which map is shown large, and how.
struct AttentionSettings {
  ShownAttention kind = ShownAttention::kCross;
  int layer = 0;  // counts from 1; 0: the last
  int head = 0;   // counts from 1; 0: the mean over all
  AttentionView view = AttentionView::kMap;
  bool targets = true;  // outlines where it should look
  bool follow = true;   // a head that is clearly more on target takes over from the mean
  int example = 0;      // of the held-out ones
  ExampleOf of = ExampleOf::kHeldOut;
};

// Whose size the blocks of the map show.
enum class InsideSize { kActivations, kGradients };
// What the chosen tensor is compared with.
enum class InsideCompare { kNothing, kOther, kPinned };

// Which number of the model is looked at.
struct InsideSettings {
  int view = 0;
  InsideSize size = InsideSize::kActivations;
  std::string path;       // of the tensor; empty: the first attention
  std::string cell;       // "3,2"; empty: none
  bool numbers = false;   // around the cell, large enough to be read
  bool gradient = false;  // the microscope shows that of the tensor
  InsideCompare compare = InsideCompare::kNothing;
  std::string other;        // the path to compare with
  bool difference = false;  // one map of the difference instead of two
};

// What is drawn beside loss and held-out accuracy, and how.
struct CurveSettings {
  bool perplexity = false, token_accuracy = false, learning_rate = false, gradient_norm = false,
       update_ratio = false;
  bool logarithmic = false;
  double smoothing = 0.6;  // weight of the past; 0: none
  bool ghosts = true;      // earlier runs
};

struct TrySettings {
  std::string input;       // empty: the example that attention is shown for
  double temperature = 0;  // 0: always the likeliest
  int top_k = 0;           // 0: no cut
  bool operator==(const TrySettings&) const = default;
};

// Where the model has positions of its own: those, or the paper's.
enum class PositionsSource { kModel, kFormula };
enum class PositionsSide { kSource, kTarget };

struct PositionsSettings {
  PositionsSource source = PositionsSource::kModel;
  PositionsSide side = PositionsSide::kSource;  // of learned ones
  int positions = 100;
  int d_model = 128;
  double base = 10000;
  int position = 7;
  int dimension = 10;
  std::string waves = "0 10 50 100";
  std::string sentence;  // empty: the example of the language shown
};

// What a person can set of the page; what the run is made of is in engine/session/run_settings.h.
struct Settings {
  Language language = Language::kEnglish;
  Theme theme = Theme::kSystem;
  TextSize text_size = TextSize::k100;
  bool embed = false;   // the panel and the play bar alone, for an article
  std::string caption;  // of an embed: the author's sentence above the panel
  int panel = panel_named("attention");
  Pace pace = Pace::k10;
  bool keep_training = false;  // also while the page is hidden
  AttentionSettings attention;
  InsideSettings inside;
  CurveSettings curves;
  TrySettings attempt;
  PositionsSettings pe;
};

inline constexpr int kMostWaves = 6;

// The property table. Its order is that of the DOM controls; a setting that limits another one
// comes before it.
Properties properties(Settings& settings);
ConstProperties properties(const Settings& settings);

// Brings settings that depend on others back into their range.
void normalise(Settings& settings);

double scale_of(TextSize size);
double steps_per_second_of(Pace pace);  // 0: as fast as it goes

// The dimensions named in `text`, or nothing when it is not a list of at most kMostWaves dimensions
// below d_model. An empty list is fine.
bool parse_waves(const std::string& text, int d_model, std::vector<int>& dimensions);

}  // namespace tp::ui
