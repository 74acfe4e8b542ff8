#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "imgui_app/draw/ui.h"
#include "imgui_app/model/plot_data.h"

// Plots by ImPlot in the look of the page. ImPlot has the axes and their ticks, zoom, pan,
// selection and the lines. Texts go through Ui::text() and stand around the plot, never in it, so
// that they are in the page's fonts, known to the mirror, and clear of every line.

namespace tp::ui {

struct PlotFrame {
  const char* id = "";
  Rect area = {};                      // of the lines; numbers and names stand outside of it
  PlotAxis* x = nullptr;               // linked: what zooms one plot zooms all that share it
  PlotAxis whole = {};                 // all that x can show
  double least = 0;                    // and the shortest part of it; 0: it shows what it shows
  PlotAxis y = {};                     // the scale at the left
  std::optional<PlotAxis> right = {};  // a second one, for lines of another kind
  bool select = false;                 // dragging across it selects the part to show
  bool pan = false;                    // dragging moves along
};

// Everything below is called between these two; not when begin_plot() says that nothing is seen.
bool begin_plot(const Ui& ui, const PlotFrame& frame);
void end_plot();

enum class PlotSide { kLeft, kRight };
ImVec2 plot_pixel(PlotPoint point, PlotSide side = PlotSide::kLeft);
PlotPoint plot_pointer();  // the pointer's place, on the scale at the left
bool plot_hovered();

// Hairlines with their numbers at the left; returns the width of the widest number.
float draw_plot_scale(Ui& ui);
// The numbers below the plot, as far as `right` at most. `marked` is among them and comes first.
void draw_plot_numbers(Ui& ui, float right, std::optional<double> marked);

struct PlotStroke {
  Colour colour;
  float alpha = 1;
  float width = 1;  // pixels
};
// Points that are not numbers are gaps.
void draw_plot_line(const Ui& ui, std::span<const PlotPoint> line, PlotStroke stroke,
                    PlotSide side = PlotSide::kLeft);
void draw_plot_dots(const Ui& ui, std::span<const PlotPoint> dots, Colour colour, float radius,
                    PlotSide side = PlotSide::kLeft);
// A level or a step that matters: thin and dashed, through the whole plot.
void draw_plot_level(const Ui& ui, double y, PlotSide side = PlotSide::kLeft);
void draw_plot_step(const Ui& ui, double x, PlotStroke stroke, bool dashed);

// A line across the plot that can be taken with a grip of 12 pixels, or 44 with a finger.
struct PlotGrip {
  bool hovered = false, held = false;
};
PlotGrip draw_plot_grip(Ui& ui, double x);

// A name beside the plot, at the height of what it names.
struct PlotName {
  float y = 0;
  std::string text;
  Colour colour;
  std::string number = {};  // at the right end of the column
};
// Pushed apart where they would touch. Where not all fit, the first ones stay.
void draw_plot_names(Ui& ui, Rect column, std::vector<PlotName> names);

}  // namespace tp::ui
