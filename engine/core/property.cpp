#include "engine/core/property.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include "engine/core/check.h"
#include "engine/core/number_text.h"
#include "engine/core/utf8.h"

namespace tp {
namespace {

// The whole text as a finite decimal number; strtod alone would also take "0x1p3", "inf" and " 1".
bool parse_number(std::string_view text, double& value) {
  const bool decimal = text.find_first_not_of("0123456789+-.eE") == std::string_view::npos;
  if (text.empty() || text.size() > 40 || !decimal) return false;
  const std::string terminated(text);
  char* end = nullptr;
  value = std::strtod(terminated.c_str(), &end);
  return *end == '\0' && std::isfinite(value);
}

bool is_printable(std::string_view text) {
  while (!text.empty()) {
    const char32_t c = next_code_point(text);
    if (c == kInvalidCodePoint || c < 0x20 || (c >= 0x7F && c < 0xA0)) return false;
  }
  return true;
}

template <class List>
const typename List::value_type* found_in(const List& properties, std::string_view name) {
  const auto same = [name](const ConstProperty& property) {
    return std::equal(name.begin(), name.end(), property.name.begin(), property.name.end(),
                      [](char given, char own) { return (given == '-' ? '_' : given) == own; });
  };
  const auto found = std::find_if(properties.begin(), properties.end(), same);
  return found == properties.end() ? nullptr : &*found;
}

}  // namespace

double ConstProperty::number() const {
  if (const auto* flag = std::get_if<bool*>(&target)) return **flag ? 1 : 0;
  if (const auto* whole = std::get_if<int*>(&target)) return **whole;
  if (const auto* value = std::get_if<double*>(&target)) return **value;
  const auto* chosen = std::get_if<EnumField>(&target);
  TP_CHECK(chosen, "a text has no number");
  return chosen->get(chosen->field);
}

std::string ConstProperty::text() const {
  switch (kind) {
    case Kind::kToggle:
      return number() != 0 ? "true" : "false";
    case Kind::kChoice:
      return std::string(choices[static_cast<size_t>(number())]);
    case Kind::kText:
      return **std::get_if<std::string*>(&target);
    case Kind::kInteger:
    case Kind::kReal:
      break;
  }
  return short_text(number());
}

PropertyProblem problem_of(const ConstProperty& property, double number) {
  if (!std::isfinite(number)) return PropertyProblem::kNotANumber;
  if (property.kind == Property::Kind::kToggle) {
    return number == 0 || number == 1 ? PropertyProblem::kNone : PropertyProblem::kNotAChoice;
  }
  if (property.kind != Property::Kind::kReal && number != std::floor(number)) {
    return PropertyProblem::kNotANumber;
  }
  if (number < property.minimum || number > property.maximum) return PropertyProblem::kOutOfRange;
  const bool between_steps = property.kind == Property::Kind::kInteger &&
                             std::fmod(number - property.minimum, property.step) != 0;
  return between_steps ? PropertyProblem::kOutOfRange : PropertyProblem::kNone;
}

PropertyProblem set_property(const Property& property, double number) {
  if (property.kind == Property::Kind::kText && std::isfinite(number)) {
    return set_property(property, short_text(number));
  }
  const PropertyProblem problem = problem_of(property, number);
  if (problem != PropertyProblem::kNone) return problem;
  if (const auto* flag = std::get_if<bool*>(&property.target)) {
    **flag = number == 1;
  } else if (const auto* value = std::get_if<double*>(&property.target)) {
    **value = number;
  } else if (const auto* whole = std::get_if<int*>(&property.target)) {
    **whole = static_cast<int>(number);
  } else {
    const auto* chosen = std::get_if<Property::EnumField>(&property.target);
    chosen->set(chosen->field, static_cast<int>(number));
  }
  return PropertyProblem::kNone;
}

PropertyProblem set_property(const Property& property, std::string_view text) {
  switch (property.kind) {
    case Property::Kind::kText:
      if (static_cast<double>(text.size()) > property.maximum || !is_printable(text)) {
        return PropertyProblem::kNotPrintable;
      }
      **std::get_if<std::string*>(&property.target) = text;
      return PropertyProblem::kNone;
    case Property::Kind::kToggle:
      if (text != "true" && text != "false") return PropertyProblem::kNotAChoice;
      return set_property(property, text == "true" ? 1.0 : 0.0);
    case Property::Kind::kChoice: {
      const auto found = std::find(property.choices.begin(), property.choices.end(), text);
      if (found == property.choices.end()) return PropertyProblem::kNotAChoice;
      return set_property(property, static_cast<double>(found - property.choices.begin()));
    }
    case Property::Kind::kInteger:
    case Property::Kind::kReal:
      break;
  }
  double number = 0;
  if (!parse_number(text, number)) return PropertyProblem::kNotANumber;
  return set_property(property, number);
}

const Property* find_property(const Properties& properties, std::string_view name) {
  return found_in(properties, name);
}
const ConstProperty* find_property(const ConstProperties& properties, std::string_view name) {
  return found_in(properties, name);
}

ConstProperties read_only(Properties properties) {
  return {std::make_move_iterator(properties.begin()), std::make_move_iterator(properties.end())};
}

std::string dashed(std::string_view name) {
  std::string result(name);
  std::replace(result.begin(), result.end(), '_', '-');
  return result;
}

Property toggle(std::string_view name, bool& field) {
  return {name, Property::Kind::kToggle, &field, 0, 1};
}

Property integer(std::string_view name, int& field, int minimum, int maximum, int step) {
  Property property(name, Property::Kind::kInteger, &field, minimum, maximum);
  property.step = step;
  return property;
}

Property real(std::string_view name, double& field, double minimum, double maximum,
              bool logarithmic) {
  Property property(name, Property::Kind::kReal, &field, minimum, maximum);
  property.logarithmic = logarithmic;
  return property;
}

Property free_text(std::string_view name, std::string& field, int longest) {
  return {name, Property::Kind::kText, &field, 0, static_cast<double>(longest)};
}

Property choice(std::string_view name, Property::EnumField field,
                std::vector<std::string_view> names) {
  Property property(name, Property::Kind::kChoice, field, 0, static_cast<double>(names.size()) - 1);
  property.choices = std::move(names);
  return property;
}

Property choice(std::string_view name, int& field, std::vector<std::string_view> names) {
  const Property::EnumField target{&field,
                                   [](const void* f) { return *static_cast<const int*>(f); },
                                   [](void* f, int value) { *static_cast<int*>(f) = value; }};
  return choice(name, target, std::move(names));
}

Property by_ratio(Property property, double from, double to) {
  property.logarithmic = true;
  property.from = from;
  property.to = to;
  return property;
}

}  // namespace tp
