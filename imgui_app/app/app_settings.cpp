// Settings by name, what is said about one that does not fit, and the link to them all.

#include "imgui_app/app/app.h"
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

}  // namespace

std::string App::problem_sentence(PropertyProblem problem, const ConstProperty* property,
                                  std::string_view name, std::string_view text) const {
  const auto say = [&](Text which, std::initializer_list<std::string_view> values) {
    return fill(tr(which, language()), values);
  };
  const std::string given(text.substr(0, 80));
  if (!property) return say(Text::problem_unknown, {name.substr(0, 80)});
  const std::string label(*named_text("setting_" + std::string(property->name), language()));
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

Properties App::all_properties() {
  Properties all = properties(settings);
  for (Property& property : link_.editor().properties()) all.push_back(std::move(property));
  return all;
}
ConstProperties App::all_properties() const {
  return read_only(*this, [](App& app) { return app.all_properties(); });
}

void App::settings_changed() {
  normalise(settings);
  link_.settings_changed();
  style_dirty_ = true;
  unsettled_ = kSettling;
  ++version_;
}

Status App::set(std::string_view name, std::string_view text) {
  if (name == "speed") name = "pace";  // as its label has it
  const Properties table = all_properties();
  const Property* property = find_property(table, name);
  if (!property) {
    return Error{problem_sentence(PropertyProblem::kUnknown, nullptr, name, text)};
  }
  std::vector<int> waves;
  if (property->name == "pe_waves" && !parse_waves(std::string(text), settings.pe.d_model, waves)) {
    return Error{fill(tr(Text::problem_waves, language()),
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
  // A preset alone brings its task along; beside another task it is a slip.
  if (name == "preset" && task_linked_) {
    if (const Status fits = link_.editor().fits_task(text); !fits) {
      const Error& error = fits.error();
      notices_.add(in_language({error.message, error.korean}, language()));
      return;
    }
  }
  if (Status status = set(name, text); !status) {
    notices_.add(status.error().message);
  } else if (name == "task") {
    task_linked_ = true;
  }
}

std::string App::text_field_at(float x, float y) const {
  if (mirror_.covered(ImVec2(x, y)) ||
      ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) {
    return {};
  }
  for (const ConstProperty& property : all_properties()) {
    const auto place = mirror_.places().find(std::string(property.name));
    if (property.kind == Property::Kind::kText && place != mirror_.places().end() &&
        place->second.contains(ImVec2(x, y))) {
      return std::string(property.name);
    }
  }
  return {};
}

std::string App::query() const {
  const RunEditor& editor = link_.editor();
  std::string result;
  const auto add = [&](const ConstProperty& property) {
    result += (result.empty() ? "" : "&") + dashed(property.name) + "=" +
              percent_encoded(property.text());
  };
  static const RunEditor first;
  const ConstProperties chosen = editor.properties();
  if (editor.task_name() != first.task_name()) add(*find_property(chosen, "task"));
  if (editor.preset_name() != first.preset_name()) add(*find_property(chosen, "preset"));
  for (const ConstProperty& property : editor.draft().all_properties()) {
    if (editor.preset().text_of(property.name) != property.text()) add(property);
  }
  const ConstProperties before = properties(initial);
  for (const ConstProperty& property : properties(settings)) {
    if (find_property(before, property.name)->text() != property.text()) add(property);
  }
  return result;
}

}  // namespace tp::ui
