// The app as others see it: its state and the DOM that stands for the canvas, as plain JSON.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/train/series_list.h"
#include "imgui_app/app/app.h"
#include "imgui_app/app/json_writer.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

constexpr const char* kStates[] = {"empty", "paused", "running", "solved", "finished", "failed"};

void write_value(JsonWriter& json, const ConstProperty& property) {
  switch (property.kind) {
    case Property::Kind::kToggle:
      return json.boolean(property.number() != 0);
    case Property::Kind::kInteger:
    case Property::Kind::kReal:
      return json.number(property.number());
    case Property::Kind::kChoice:
    case Property::Kind::kText:
      return json.text(property.text());
  }
}

const char* kind_name(const ConstProperty& property) {
  constexpr const char* kNames[] = {"toggle", "integer", "real", "choice", "text"};
  return property.name == "panel" ? "tabs" : kNames[static_cast<size_t>(property.kind)];
}

void write_sides(JsonWriter& json, Rect rect, float ratio) {
  json.field("x", rect.min.x / ratio);
  json.field("y", rect.min.y / ratio);
  json.field("width", rect.width() / ratio);
  json.field("height", rect.height() / ratio);
}

void write_rect(JsonWriter& json, std::string_view name, Rect rect, float ratio) {
  json.object(name, [&] { write_sides(json, rect, ratio); });
}

void write_texts(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts) {
  json.array(name, [&] {
    for (const std::string& text : texts) json.text(text);
  });
}

std::vector<std::string> texts_of(const Notices& notices) {
  std::vector<std::string> texts;
  for (const Notice& notice : notices.all()) texts.push_back(notice.text);
  return texts;
}

// The newest that says what is wrong, or nothing.
const Notice* newest_problem(const Notices& notices) {
  const auto found =
      std::find_if(notices.all().rbegin(), notices.all().rend(),
                   [](const Notice& notice) { return notice.tone == NoticeTone::kProblem; });
  return found == notices.all().rend() ? nullptr : &*found;
}

std::string story_of(const Mirror& mirror) {
  for (const Readout& readout : mirror.readouts()) {
    if (readout.name == "story") return readout.text;
  }
  return {};
}

}  // namespace

void App::describe_shown(JsonWriter& json) const {
  const float ratio = surroundings.ratio;
  json.field("width", surroundings.width);
  json.field("height", surroundings.height);
  json.field("content_height", content_height_);
  json.field("wanted_height", wanted_height());
  json.field("ratio", ratio);
  json.object("places", [&] {
    for (const auto& [name, rect] : mirror_.places()) write_rect(json, name, rect, ratio);
  });
  json.object("readouts", [&] {
    for (const Readout& readout : mirror_.readouts()) json.field(readout.name, readout.text);
  });
  json.array("texts", [&] {
    for (const DrawnText& drawn : mirror_.texts()) {
      json.object([&] {
        json.field("text", drawn.text);
        write_sides(json, drawn.rect, ratio);
        write_rect(json, "clip", drawn.clip, ratio);
      });
    }
  });
}

void App::describe_run(JsonWriter& json) const {
  const Snapshot& now = run().now();
  char hash[20];
  std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(now.weights_hash));
  json.field("state", kStates[static_cast<size_t>(now.state)]);
  json.field("running", run().running());
  json.field("matter", name_of(diagnosis_.matter));
  json.field("run", now.run);
  json.field("branch", now.moment.branch);
  json.field("step", now.moment.step);
  json.field("total_steps", now.total_steps);
  json.field("task", now.task.empty() ? std::string(link_.editor().task_name()) : now.task);
  json.field("preset", link_.editor().preset_name());
  json.object("metrics", [&] {
    const std::vector<std::string> measured = run().series();
    for (const SeriesInfo& info : all_series()) {
      if (!info.name.ends_with('.')) json.field(info.name, run().value_now(info.name));
    }
    for (const std::string& name : measured) {
      if (series_info(name)->name.ends_with('.')) json.field(name, run().value_now(name));
    }
    json.field("alignment", run().value_now("heldout_alignment"));
    json.field("mean_alignment", run().value_now("heldout_mean_alignment"));
    json.field("steps_per_second", now.steps_per_second);
  });
  json.field("weights_hash", std::string_view(hash));
  json.field("parameters", now.parameters);
  json.field("bytes", now.bytes);
  json.array("branches", [&] {
    for (const Branch& branch : now.branches) {
      json.object([&] {
        json.field("id", branch.id);
        json.field("parent", branch.parent);
        json.field("first_step", branch.first_step);
        json.field("last_step", branch.last_step);
      });
    }
  });
  json.array("kept", [&] {
    for (const Moment& moment : now.kept) {
      json.object([&] {
        json.field("branch", moment.branch);
        json.field("step", moment.step);
      });
    }
  });
  json.field("history_bytes", now.history_bytes);
}

std::string App::state_json() const {
  JsonWriter json;
  json.object([&] {
    json.field("language", lettering_.shown() == Language::kKorean ? "ko" : "en");
    json.field("theme", dark() ? "dark" : "light");
    json.field("panel", kPanelNames[settings.panel]);
    json.array("panels", [&] {
      for (const std::string_view name : kPanelNames) json.text(name);
    });
    describe_run(json);
    json.object("settings", [&] {
      for (const ConstProperty& property : all_properties()) {
        json.key(property.name);
        write_value(json, property);
      }
    });
    write_texts(json, "waiting", link_.editor().waiting());
    json.object("shown", [&] { describe_shown(json); });
    write_texts(json, "notices", texts_of(notices_));
    json.key("error");
    if (const Notice* problem = newest_problem(notices_)) {
      json.text(problem->text);
    } else {
      json.null();
    }
    json.field("frames", frames_);
    json.field("font_builds", lettering_.fonts().builds());
  });
  return json.take();
}

void App::describe_control(JsonWriter& json, const ConstProperty& property) const {
  const auto say = [&](const std::string& name) {
    return std::string(*named_text(name, lettering_.shown()));
  };
  const auto place = [&](const std::string& name) {
    const auto found = mirror_.places().find(name);
    if (found != mirror_.places().end()) {
      write_rect(json, "rect", found->second, surroundings.ratio);
    }
  };
  const std::string name(property.name);
  json.field("name", name);
  json.field("kind", kind_name(property));
  json.field("label", say("setting_" + name));
  json.field("help", say("help_" + name));
  json.key("value");
  write_value(json, property);
  if (property.kind == Property::Kind::kChoice) {
    json.array("choices", [&] {
      for (int i = 0; i < std::ssize(property.choices); ++i) {
        const std::string_view choice = property.choices[static_cast<size_t>(i)];
        json.object([&] {
          json.field("value", choice);
          std::string label = say(choice_text_name(property, i));
          if (const char* tip = choice_tip(lettering_.shown(), property, i)) {
            label += std::string(" (") + tip + ")";
          }
          json.field("label", label);
          if (name == "panel") place("tab_" + std::string(choice));
        });
      }
    });
  } else if (property.kind == Property::Kind::kText) {
    json.field("longest", property.maximum);
  } else {
    json.field("minimum", property.minimum);
    json.field("maximum", property.maximum);
    if (property.kind == Property::Kind::kInteger) {
      json.field("step", property.step);
    } else {
      json.field("step", "any");
    }
  }
  place(name);
}

std::string App::mirror_json() const {
  const auto say = [&](Text text) { return tr(text, lettering_.shown()); };
  JsonWriter json;
  json.object([&] {
    json.field("language", lettering_.shown() == Language::kKorean ? "ko" : "en");
    json.field("theme", dark() ? "dark" : "light");
    json.field("title", say(Text::app_name));
    json.field("story", story_of(mirror_));
    json.object("labels", [&] {
      json.field("controls", say(Text::controls));
      json.field("readouts", say(Text::readouts));
      json.field("canvas", say(Text::canvas_description));
      json.field("licences", say(Text::licences));
      json.field("tree", say(Text::inside_map));
      json.field("close", say(Text::close));
    });
    json.array("controls", [&] {
      const RunEditor& editor = link_.editor();
      for (const ConstProperty& property : editor.properties()) {
        json.object([&] {
          describe_control(json, property);
          json.field("hidden", !editor.draft().matters(property.name));
        });
      }
      for (const ConstProperty& property : properties(settings)) {
        json.object([&] { describe_control(json, property); });
      }
    });
    json.array("actions", [&] {
      for (const Action& action : mirror_.actions()) {
        json.object([&] {
          json.field("name", action.name);
          json.field("label", action.label);
          json.field("enabled", action.enabled);
          if (action.level > 0) {
            json.field("level", action.level);
            json.field("pressed", action.pressed);
            if (action.expanded) json.field("expanded", *action.expanded);
          }
          write_rect(json, "rect", action.rect, surroundings.ratio);
        });
      }
    });
    // As the keyboard goes through them; what is not among them is not on the screen.
    json.array("order", [&] {
      for (const Placed* one : mirror_.in_reading_order()) {
        // All tabs are one stop, and so is the tree.
        json.text(one->name.starts_with("tab_")    ? "panel"
                  : one->name.starts_with("tree_") ? "tree"
                  : one->action                    ? "action " + one->name
                                                   : one->name);
      }
    });
    json.array("readouts", [&] {
      for (const Readout& readout : mirror_.readouts()) {
        json.object([&] {
          json.field("name", readout.name);
          json.field("label", readout.label);
          json.field("text", readout.text);
        });
      }
    });
    write_texts(json, "notices", texts_of(notices_));
    if (const auto found = mirror_.places().find("licences"); found != mirror_.places().end()) {
      write_rect(json, "licences", found->second, surroundings.ratio);
    }
    json.field("query", query());
  });
  return json.take();
}

}  // namespace tp::ui
