#pragma once

#include <imgui.h>

#include <map>
#include <optional>
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
  // Of an item of the tree, whose name begins with tree_: from 1, and whether it is open where it
  // can be opened.
  int level = 0;
  std::optional<bool> expanded = {};
};

struct Readout {
  std::string name;   // stable, for scripts
  std::string label;  // in the language shown
  std::string text;
};

// The parts of the page, in the order in which the keyboard goes through them. Within each it goes
// as one reads: by rows, then from left to right.
enum class Section { kStart, kPlay, kStory, kTabs, kPanel, kBeside, kSide, kPage };

// Something that can be reached.
struct Placed {
  std::string name;
  Rect rect;
  bool action = false;  // else a control of the property table, a tab, or a picture
  Section section = Section::kStart;
};

struct DrawnText {
  std::string text;
  Rect rect, clip;
};

class Mirror {
 public:
  void begin_frame() { *this = {}; }

  // What follows belongs to this part of the page.
  void section(Section section) { section_ = section; }
  // A control of the property table, or an action, is drawn here.
  void place(std::string_view name, Rect rect) { place(name, rect, false); }
  void action(Action action) {
    place(action.name, action.rect, true);
    actions_.push_back(std::move(action));
  }
  void readout(Readout readout) { readouts_.push_back(std::move(readout)); }
  void drawn(std::string text, Rect rect, Rect clip) {
    texts_.push_back({std::move(text), rect, clip});
  }
  // A finger that lands here drags the thing instead of scrolling the page.
  void grabs(Rect rect) { grabs_.push_back(rect); }

  // Something lies over the page here: what is below cannot be reached.
  void cover(Rect rect) { covers_.push_back(rect); }
  bool covered(ImVec2 point) const { return any_contains(covers_, point); }

  // The wheel zooms here.
  void zooms(Rect rect) { zooms_.push_back(rect); }

  const std::map<std::string, Rect>& places() const { return places_; }
  const std::vector<Action>& actions() const { return actions_; }
  std::vector<const Placed*> in_reading_order() const;
  const std::vector<Readout>& readouts() const { return readouts_; }
  const std::vector<DrawnText>& texts() const { return texts_; }
  bool grabs_at(ImVec2 point) const { return !covered(point) && any_contains(grabs_, point); }
  bool zooms_at(ImVec2 point) const { return !covered(point) && any_contains(zooms_, point); }

 private:
  static bool any_contains(const std::vector<Rect>& rects, ImVec2 point) {
    for (const Rect& rect : rects) {
      if (rect.contains(point)) return true;
    }
    return false;
  }

  void place(std::string_view name, Rect rect, bool action) {
    places_[std::string(name)] = rect;
    placed_.push_back({std::string(name), rect, action, section_});
  }

  Section section_ = Section::kStart;
  std::vector<Placed> placed_;
  std::map<std::string, Rect> places_;
  std::vector<Action> actions_;
  std::vector<Readout> readouts_;
  std::vector<DrawnText> texts_;
  std::vector<Rect> grabs_, zooms_, covers_;
};

}  // namespace tp::ui
