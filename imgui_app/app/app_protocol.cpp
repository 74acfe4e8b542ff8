// What others ask of the app: commands as JSON, keys, settings by name, and the link to it all.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/core/json.h"
#include "imgui_app/app/app.h"
#include "imgui_app/model/typed_word.h"
#include "imgui_app/widgets/controls.h"

namespace tp::ui {
namespace {

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
      if (property->kind == Property::Kind::kToggle) {
        return say(Text::problem_toggle, {label, given, now});
      }
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
  const Properties table = all_properties();
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
  if (editor_.lacks_material()) {
    editor_.drop_choice();
    return Error{tr(Text::lines_wanted, drawable_language())};
  }
  settings_changed();
  return Done{};
}

void App::apply(std::string_view name, std::string_view text) {
  // A preset alone brings its task along; beside another task it is a slip.
  if (name == "preset" && task_linked_) {
    if (const Status fits = editor_.fits_task(text); !fits) {
      const Error& error = fits.error();
      notices_.push_back(in_language({error.message, error.korean}, drawable_language()));
      return;
    }
  }
  if (Status status = set(name, text); !status) {
    notices_.push_back(status.error().message);
  } else if (name == "task") {
    task_linked_ = true;
  }
}

Status App::command(std::string_view text) {
  const Json json = parse_json(text);
  const Error not_understood{
      fill(tr(Text::problem_command, drawable_language()), {text.substr(0, 120)})};
  if (!json.is_object()) return not_understood;
  const std::string type = string_member(json, "type");
  unsettled_ = kSettling;
  ++version_;
  if (type == "set" && json.contains("values")) {  // several, one after the other
    const Json& values = json["values"];
    if (!values.is_object() || values.empty()) return not_understood;
    for (const auto& [name, value] : values.items()) {
      if (value.is_structured() || value.is_null()) return not_understood;
      const Status status = set(name, value.is_string() ? value.get<std::string>() : value.dump());
      if (!status) return status;
    }
    return Done{};
  }
  if (type == "set") {
    const auto value = json.find("value");
    if (value == json.end() || value->is_structured() || value->is_null()) return not_understood;
    return set(string_member(json, "name"),
               value->is_string() ? value->get<std::string>() : value->dump());
  }
  if (type == "reset_settings" || type == "reset_setting") {
    return reset_settings(string_member(json, "name"));
  }
  if (type == "point") {  // as if the pointer were over a cell of a map
    const std::string map = string_member(json, "map");
    const bool somewhere = json.contains("row");
    const std::optional<Cell> cell =
        somewhere ? std::optional(Cell{index_member(json, "row"), index_member(json, "column")})
                  : std::nullopt;
    const bool known =
        map == "attention" ? attention_.point_at(run_, cell) : positions_.point_at(map, cell);
    if (!known) return not_understood;
    return Done{};
  }
  if (type == "rewind") {
    const int branch = index_member(json, "branch"), step = index_member(json, "step");
    if (step < 0) return not_understood;
    send(Rewind{branch < 0 ? run_.now().moment.branch : branch, static_cast<std::uint64_t>(step)});
    return Done{};
  }
  if (type == "zoom_curves") {  // as many times fewer steps; 0: all of them
    const auto factor = json.find("factor");
    if (factor == json.end() || !factor->is_number()) return not_understood;
    curves_.zoom(run_, factor->get<double>());
    return Done{};
  }
  if (type == "try") return set("try_input", string_member(json, "text"));
  if (type == "type_word") return type_word(string_member(json, "word"));
  if (type == "download_png") {
    const std::string place = string_member(json, "place");
    const auto found = mirror_.places().find(place);
    if (found == mirror_.places().end()) return not_understood;
    platform_.save_picture(place + ".png", found->second);
    return Done{};
  }
  if (type == "close_notice") {
    const int index = index_member(json, "index");
    if (index < 0 || index >= std::ssize(notices_)) return not_understood;
    notices_.erase(notices_.begin() + index);
    return Done{};
  }
  if (plain_command(type)) return Done{};
  return not_understood;
}

Status App::reset_settings(const std::string& name) {
  if (name.empty()) {
    editor_.reset_all();
    settings_changed();
    return Done{};
  }
  Settings first = initial;
  const Properties table = properties(first);
  if (const Property* property = find_property(table, name)) return set(name, property->text());
  return set(name, editor_.preset().text_of(name));
}

// A word that the model knows, for the one that it does not.
Status App::type_word(const std::string& word) {
  const bool spaced =
      run_.now().example && run_.now().example->source_text.find(' ') != std::string::npos;
  const std::string unknown = run_.now().tried ? run_.now().tried->unknown_word : "";
  return set("try_input", with_known_word(settings.attempt.input, unknown, word,
                                          run_.now().known_words, spaced));
}

// Commands without anything beside their type. False when there is none of that name.
bool App::plain_command(std::string_view type) {
  if (type == "play" || type == "pause" || type == "step") {
    rests_ = false;
    if (type == "play") send(Play{});
    if (type == "pause") send(Pause{});
    if (type == "step") send(Step{});
  } else if (type == "reset") {
    send(editor_.start(false));
  } else if (type == "new_seed") {
    editor_.new_seed();
    send(editor_.start(run_.running()));
  } else if (type == "roll") {
    settings.attempt.input.clear();
    settings.attention.example = (settings.attention.example + 1) % 1000;
    settings_changed();
  } else if (type == "reset_positions") {
    settings.pe = initial.pe;
    settings_changed();
  } else if (type == "earlier" || type == "later") {
    rewind_by(type == "earlier" ? -1 : 1);
  } else if (type == "forget_ghosts") {
    run_.forget_ghosts();
  } else if (type == "next_longer") {
    start("reverse", "default", true);
  } else if (type == "next_sort") {
    start("sort", "default", true);
  } else if (type == "next_translate") {
    start("translate", "default", true);
  } else if (type == "save") {
    send(Save{});
  } else if (type == "load") {
    platform_.choose_file();
  } else if (type == "copy_link") {
    platform_.copy_link(query());
  } else if (type == "download_csv") {
    const std::string text = run_.csv();
    platform_.save_file("curves.csv", std::as_bytes(std::span(text)));
  } else if (type == "keys") {
    show_keys_ = !show_keys_;
  } else if (type == "menu") {
    toggle_menu_ = true;
  } else if (type == "escape") {  // what lies over the page goes
    if (show_keys_) return plain_command("keys");
    if (menu_open_) return plain_command("menu");
  } else if (type == "close_notices") {
    notices_.clear();
  } else if (type == "continue_kept" || type == "discard_kept") {
    platform_.take_kept_run(type == "continue_kept");
    kept_run_.reset();
  } else if (type == "open_full_page") {
    platform_.open_full_page(query());
  } else {
    return false;
  }
  return true;
}

bool App::key(std::string_view name) {
  const auto press = [&](std::string_view type) { return plain_command(type); };
  unsettled_ = kSettling;
  if (name == " ") return press(run_.running() ? "pause" : "play");
  if (name == "s" || name == "S") return press("step");
  if (name == "r" || name == "R") return press("reset");
  if (name == "n" || name == "N") return press("new_seed");
  if (name == "ArrowLeft") return press("earlier");
  if (name == "ArrowRight") return press("later");
  if (name == "?") return press("keys");
  if (name == "Escape" && (show_keys_ || menu_open_)) return press("escape");
  const auto change = [&](std::string_view setting, double by) {
    const Properties table = properties(settings);
    const Property& property = *find_property(table, setting);
    if (set_property(property, property.number() + by) == PropertyProblem::kNone)
      settings_changed();
    return true;
  };
  if (name == "-") return change("pace", -1);
  if (name == "+" || name == "=") return change("pace", 1);
  if (name.size() == 1 && name[0] >= '1' && name[0] < '1' + kPanels) {
    settings.panel = static_cast<Panel>(name[0] - '1');
    settings_changed();
    return true;
  }
  return false;
}

std::string App::query() const {
  std::string result;
  const auto add = [&](const Property& property) {
    result += (result.empty() ? "" : "&") + dashed(property.name) + "=" +
              percent_encoded(property.text());
  };
  static const RunEditor first;
  const Properties chosen = editor_.properties();
  if (editor_.task_name() != first.task_name()) add(*find_property(chosen, "task"));
  if (editor_.preset_name() != first.preset_name()) add(*find_property(chosen, "preset"));
  for (const Property& property : editor_.draft().all_properties()) {
    if (editor_.preset().text_of(property.name) != property.text()) add(property);
  }
  Settings now = settings, then = initial;
  const Properties before = properties(then);
  for (const Property& property : properties(now)) {
    if (find_property(before, property.name)->text() != property.text()) add(property);
  }
  return result;
}

}  // namespace tp::ui
