#pragma once

#include <imgui.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "imgui_app/model/ui_command.h"

// What the canvas shows, in a form that the page can turn into DOM elements: where each control is,
// the values that are readable, every text with its place, and what a finger or wheel may grab.

namespace tp::ui {

struct Rect {
  ImVec2 min, max;  // physical pixels
  float width() const { return max.x - min.x; }
  float height() const { return max.y - min.y; }
  bool contains(ImVec2 p) const {
    return p.x >= min.x && p.x < max.x && p.y >= min.y && p.y < max.y;
  }
};

// Something to press. The canvas button runs the command; its DOM twin names the action
// (App::press).
struct Action {
  std::string name;   // stable, for scripts
  std::string label;  // in the language shown
  UiCommand command;
  bool enabled = true;
  bool pressed = false;  // of a switch: whether it is on
  Rect rect = {};
};

struct Readout {
  std::string name;   // stable, for scripts
  std::string label;  // in the language shown
  std::string text;
};

struct DrawnText {
  std::string text;
  Rect rect, clip;
};

class Mirror {
 public:
  void begin_frame() { *this = {}; }

  // A control of the property table, or an action, is drawn here.
  void place(std::string_view name, Rect rect) { places_[std::string(name)] = rect; }
  void action(Action action) {
    place(action.name, action.rect);
    actions_.push_back(std::move(action));
  }
  void readout(Readout readout) { readouts_.push_back(std::move(readout)); }
  void drawn(std::string text, Rect rect, Rect clip) {
    texts_.push_back({std::move(text), rect, clip});
  }
  // A finger that lands here drags the thing instead of scrolling the page.
  void grabs(Rect rect) { grabs_.push_back(rect); }

  // The wheel zooms here.
  void zooms(Rect rect) { zooms_.push_back(rect); }

  const std::map<std::string, Rect>& places() const { return places_; }
  const std::vector<Action>& actions() const { return actions_; }
  const std::vector<Readout>& readouts() const { return readouts_; }
  const std::vector<DrawnText>& texts() const { return texts_; }
  bool grabs_at(ImVec2 point) const { return any_contains(grabs_, point); }
  bool zooms_at(ImVec2 point) const { return any_contains(zooms_, point); }

 private:
  static bool any_contains(const std::vector<Rect>& rects, ImVec2 point) {
    for (const Rect& rect : rects) {
      if (rect.contains(point)) return true;
    }
    return false;
  }

  std::map<std::string, Rect> places_;
  std::vector<Action> actions_;
  std::vector<Readout> readouts_;
  std::vector<DrawnText> texts_;
  std::vector<Rect> grabs_, zooms_;
};

}  // namespace tp::ui
