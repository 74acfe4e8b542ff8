// The app as others see it: commands in, state and DOM mirror out, all as plain JSON.

#include <nlohmann/json.hpp>

#include "imgui_app/app.h"
#include "imgui_app/widgets/controls.h"

namespace tp {
namespace {

using Json = nlohmann::ordered_json;

Json value_of(const Property& property) {
  switch (property.kind) {
    case Property::Kind::kToggle:
      return property.number() != 0;
    case Property::Kind::kInteger:
      return static_cast<int>(property.number());
    case Property::Kind::kReal:
      return property.number();
    case Property::Kind::kChoice:
    case Property::Kind::kText:
      break;
  }
  return property.text();
}

const char* kind_name(Property::Kind kind) {
  constexpr const char* kNames[] = {"toggle", "integer", "real", "choice", "text"};
  return kNames[static_cast<size_t>(kind)];
}

Json rect_json(Rect rect, float ratio) {
  return {{"x", rect.min.x / ratio},
          {"y", rect.min.y / ratio},
          {"width", rect.width() / ratio},
          {"height", rect.height() / ratio}};
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string percent_encoded(std::string_view text) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || c == '.' || c == '~';
    if (plain) {
      result.push_back(c);
    } else if (c == ' ') {
      result.push_back('+');
    } else {
      result += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return result;
}

std::string string_member(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// A whole number of a command, or -1.
int index_member(const Json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_number_integer()) return -1;
  const auto value = found->get<int64_t>();
  return value >= 0 && value < 1 << 30 ? static_cast<int>(value) : -1;
}

}  // namespace

std::string App::problem_sentence(PropertyProblem problem, const Property* property,
                                  std::string_view name, std::string_view text) const {
  const auto say = [&](Text which, std::initializer_list<std::string_view> values) {
    return fill(tr(which, drawable_language()), values);
  };
  const std::string given(text.substr(0, 80));
  if (!property) return say(Text::problem_unknown, {name.substr(0, 80)});
  const std::string label =
      tr(*text_named("setting_" + std::string(property->name)), drawable_language());
  const std::string now = property->text();
  switch (problem) {
    case PropertyProblem::kNotAChoice: {
      std::string all;
      for (const std::string_view choice : property->choices) {
        all += (all.empty() ? "" : ", ") + std::string(choice);
      }
      return say(Text::problem_choice, {label, given, all, now});
    }
    case PropertyProblem::kNotPrintable:
      return say(Text::problem_text, {label, readable_number(property->maximum)});
    default:
      return say(
          property->step > 1 ? Text::problem_step : Text::problem_number,
          {label, given, readable_number(property->minimum), readable_number(property->maximum),
           readable_number(property->number()), readable_number(property->step)});
  }
}

Status App::set(std::string_view name, std::string_view text) {
  const Properties table = properties(settings);
  const Property* property = find_property(table, name);
  if (!property) {
    return Error{problem_sentence(PropertyProblem::kUnknown, nullptr, name, text)};
  }
  std::vector<int> waves;
  if (property->name == "pe_waves" && !parse_waves(std::string(text), settings.pe.d_model, waves)) {
    return Error{fill(tr(Text::problem_waves, drawable_language()),
                      {std::to_string(settings.pe.d_model - 1), std::to_string(kMostWaves)})};
  }
  const PropertyProblem problem = set_property(*property, text);
  if (problem != PropertyProblem::kNone) {
    return Error{problem_sentence(problem, property, name, text)};
  }
  settings_changed();
  return Done{};
}

void App::apply(std::string_view name, std::string_view text) {
  if (Status status = set(name, text); !status) notices_.push_back(status.error().message);
}

Status App::command(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  const auto not_understood = [&] {
    return Error{fill(tr(Text::problem_command, drawable_language()), {text.substr(0, 120)})};
  };
  if (!json.is_object()) return not_understood();
  const std::string type = string_member(json, "type");
  unsettled_ = kSettling;
  if (type == "set" && json.contains("values")) {  // several, one after the other
    const Json& values = json["values"];
    if (!values.is_object() || values.empty()) return not_understood();
    for (const auto& [name, value] : values.items()) {
      if (value.is_structured() || value.is_null()) return not_understood();
      const Status status = set(name, value.is_string() ? value.get<std::string>() : value.dump());
      if (!status) return status;
    }
    return Done{};
  }
  if (type == "set") {
    const auto value = json.find("value");
    if (value == json.end() || value->is_structured() || value->is_null()) return not_understood();
    return set(string_member(json, "name"),
               value->is_string() ? value->get<std::string>() : value->dump());
  }
  if (type == "reset") {  // one setting, or all of the panel
    if (!json.contains("name")) {
      settings.pe = initial.pe;
      settings_changed();
      return Done{};
    }
    const Properties table = properties(initial);
    const std::string name = string_member(json, "name");
    const Property* property = find_property(table, name);
    return set(name, property ? property->text() : "");
  }
  if (type == "point") {  // as if the pointer were over a cell of a map
    const std::string map = string_member(json, "map");
    const bool somewhere = json.contains("row");
    const std::optional<Cell> cell =
        somewhere ? std::optional(Cell{index_member(json, "row"), index_member(json, "column")})
                  : std::nullopt;
    if (!positions_.point_at(map, cell)) return not_understood();
    return Done{};
  }
  if (type == "close_notices") {
    notices_.clear();
    return Done{};
  }
  return not_understood();
}

std::string App::query() const {
  Settings now = settings, then = initial;
  const Properties table = properties(now), before = properties(then);
  std::string result;
  for (size_t i = 0; i < table.size(); ++i) {
    if (table[i].text() == before[i].text()) continue;
    result += (result.empty() ? "" : "&") + dashed(table[i].name) + "=" +
              percent_encoded(table[i].text());
  }
  return result;
}

std::string App::state_json() const {
  Settings copy = settings;
  Json values = Json::object();
  for (const Property& property : properties(copy)) {
    values[std::string(property.name)] = value_of(property);
  }
  const float ratio = surroundings.ratio;
  Json shown = {{"width", surroundings.width},
                {"height", surroundings.height},
                {"content_height", content_height_},
                {"ratio", ratio}};
  Json places = Json::object(), readouts = Json::object(), texts = Json::array();
  for (const auto& [name, rect] : mirror_.places()) places[name] = rect_json(rect, ratio);
  for (const Readout& readout : mirror_.readouts()) readouts[readout.name] = readout.text;
  for (const DrawnText& drawn : mirror_.texts()) {
    Json entry = rect_json(drawn.rect, ratio);
    entry["text"] = drawn.text;
    entry["clip"] = rect_json(drawn.clip, ratio);
    texts.push_back(std::move(entry));
  }
  shown["places"] = std::move(places);
  shown["readouts"] = std::move(readouts);
  shown["texts"] = std::move(texts);
  return dump({{"language", shown_language_ == Language::kKorean ? "ko" : "en"},
               {"theme", dark() ? "dark" : "light"},
               {"panel", "positions"},
               {"settings", std::move(values)},
               {"shown", std::move(shown)},
               {"notices", notices_},
               {"error", notices_.empty() ? Json(nullptr) : Json(notices_.back())},
               {"frames", frames_},
               {"font_builds", fonts_.builds()}});
}

std::string App::mirror_json() const {
  Settings copy = settings;
  const auto say = [&](const std::string& name) {
    return std::string(tr(*text_named(name), shown_language_));
  };
  Json controls = Json::array();
  for (const Property& property : properties(copy)) {
    const std::string name(property.name);
    Json control = {{"name", name},
                    {"kind", kind_name(property.kind)},
                    {"label", say("setting_" + name)},
                    {"help", say("help_" + name)},
                    {"value", value_of(property)}};
    if (property.kind == Property::Kind::kChoice) {
      Json choices = Json::array();
      for (const std::string_view choice : property.choices) {
        choices.push_back(
            {{"value", choice}, {"label", say("choice_" + name + "_" + std::string(choice))}});
      }
      control["choices"] = std::move(choices);
    } else if (property.kind == Property::Kind::kText) {
      control["longest"] = static_cast<int>(property.maximum);
    } else {
      control["minimum"] = property.minimum;
      control["maximum"] = property.maximum;
      control["step"] =
          property.kind == Property::Kind::kInteger ? Json(property.step) : Json("any");
    }
    if (const auto place = mirror_.places().find(name); place != mirror_.places().end()) {
      control["rect"] = rect_json(place->second, surroundings.ratio);
    }
    controls.push_back(std::move(control));
  }
  Json actions = Json::array();
  const auto add_action = [&](const char* name, const char* label, const char* place,
                              Json command) {
    Json action = {{"name", name}, {"label", say(label)}, {"command", std::move(command)}};
    if (const auto found = mirror_.places().find(place); found != mirror_.places().end()) {
      action["rect"] = rect_json(found->second, surroundings.ratio);
    }
    actions.push_back(std::move(action));
  };
  add_action("reset_settings", "reset_settings", "reset_settings", {{"type", "reset"}});
  if (!notices_.empty()) {
    add_action("close_notices", "close", "close_notice_0", {{"type", "close_notices"}});
  }
  Json readouts = Json::array();
  for (const Readout& readout : mirror_.readouts()) {
    readouts.push_back({{"name", readout.name}, {"label", readout.label}, {"text", readout.text}});
  }
  return dump({{"language", shown_language_ == Language::kKorean ? "ko" : "en"},
               {"theme", dark() ? "dark" : "light"},
               {"title", say("app_name")},
               {"story", say("positions_story")},
               {"labels",
                {{"controls", say("controls")},
                 {"readouts", say("readouts")},
                 {"canvas", say("canvas_description")},
                 {"licences", say("licences")},
                 {"close", say("close")}}},
               {"controls", std::move(controls)},
               {"actions", std::move(actions)},
               {"readouts", std::move(readouts)},
               {"notices", notices_},
               {"query", query()}});
}

}  // namespace tp
