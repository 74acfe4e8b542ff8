#include "engine/core/property.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

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

}  // namespace

double Property::number() const {
  if (const auto* flag = std::get_if<bool*>(&target)) return **flag ? 1 : 0;
  if (const auto* whole = std::get_if<int*>(&target)) return **whole;
  if (const auto* value = std::get_if<double*>(&target)) return **value;
  const auto* chosen = std::get_if<EnumField>(&target);
  TP_CHECK(chosen, "a text has no number");
  return chosen->get(chosen->field);
}

std::string Property::text() const {
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

PropertyProblem set_property(const Property& property, double number) {
  if (!std::isfinite(number)) return PropertyProblem::kNotANumber;
  if (property.kind == Property::Kind::kToggle) {
    if (number != 0 && number != 1) return PropertyProblem::kNotAChoice;
    **std::get_if<bool*>(&property.target) = number == 1;
    return PropertyProblem::kNone;
  }
  if (property.kind == Property::Kind::kText) return set_property(property, short_text(number));

  if (property.kind != Property::Kind::kReal && number != std::floor(number)) {
    return PropertyProblem::kNotANumber;
  }
  if (number < property.minimum || number > property.maximum) return PropertyProblem::kOutOfRange;
  if (const auto* value = std::get_if<double*>(&property.target)) {
    **value = number;
  } else if (const auto* whole = std::get_if<int*>(&property.target)) {
    if (std::fmod(number - property.minimum, property.step) != 0) {
      return PropertyProblem::kOutOfRange;
    }
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
  const auto same = [name](const Property& property) {
    return std::equal(name.begin(), name.end(), property.name.begin(), property.name.end(),
                      [](char given, char own) { return (given == '-' ? '_' : given) == own; });
  };
  const auto found = std::find_if(properties.begin(), properties.end(), same);
  return found == properties.end() ? nullptr : &*found;
}

std::string dashed(std::string_view name) {
  std::string result(name);
  std::replace(result.begin(), result.end(), '_', '-');
  return result;
}

Property toggle(std::string_view name, bool& field) {
  return {.name = name, .kind = Property::Kind::kToggle, .target = &field, .maximum = 1};
}

Property integer(std::string_view name, int& field, int minimum, int maximum, int step) {
  return {.name = name,
          .kind = Property::Kind::kInteger,
          .target = &field,
          .minimum = static_cast<double>(minimum),
          .maximum = static_cast<double>(maximum),
          .step = static_cast<double>(step)};
}

Property real(std::string_view name, double& field, double minimum, double maximum,
              bool logarithmic) {
  return {.name = name,
          .kind = Property::Kind::kReal,
          .target = &field,
          .minimum = minimum,
          .maximum = maximum,
          .logarithmic = logarithmic};
}

Property free_text(std::string_view name, std::string& field, int longest) {
  return {.name = name,
          .kind = Property::Kind::kText,
          .target = &field,
          .maximum = static_cast<double>(longest)};
}

Property choice(std::string_view name, int& field, std::vector<std::string_view> names) {
  Property::EnumField target{&field, [](const void* f) { return *static_cast<const int*>(f); },
                             [](void* f, int value) { *static_cast<int*>(f) = value; }};
  const double last = static_cast<double>(names.size()) - 1;
  return {.name = name,
          .kind = Property::Kind::kChoice,
          .target = target,
          .maximum = last,
          .choices = std::move(names)};
}

Property by_ratio(Property property, double from, double to) {
  property.logarithmic = true;
  property.from = from;
  property.to = to;
  return property;
}

}  // namespace tp
