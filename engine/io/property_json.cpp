#include "engine/io/property_json.h"

#include "engine/core/json.h"

namespace tp {
namespace {

std::string what_is_possible(const Property& property) {
  switch (property.kind) {
    case Property::Kind::kToggle:
      return "true or false";
    case Property::Kind::kChoice: {
      std::string names;
      for (std::string_view name : property.choices) {
        if (!names.empty()) names += name == property.choices.back() ? " or " : ", ";
        names += name;
      }
      return names;
    }
    case Property::Kind::kText:
      return "a text of at most " + Json(property.maximum).dump() + " bytes";
    case Property::Kind::kInteger:
    case Property::Kind::kReal:
      break;
  }
  const bool whole = property.kind == Property::Kind::kInteger;
  const auto number = [whole](double x) {
    return whole ? std::to_string(static_cast<long>(x)) : Json(x).dump();
  };
  return std::string(whole ? "a whole number" : "a number") + " from " + number(property.minimum) +
         " to " + number(property.maximum);
}

}  // namespace

std::string json_of(const Properties& properties, int indent) {
  Json object = Json::object();
  for (const Property& property : properties) {
    Json& value = object[std::string(property.name)];
    switch (property.kind) {
      case Property::Kind::kToggle:
        value = property.number() != 0;
        break;
      case Property::Kind::kInteger:
        value = static_cast<std::int64_t>(property.number());
        break;
      case Property::Kind::kReal:
        value = property.number();
        break;
      case Property::Kind::kChoice:
      case Property::Kind::kText:
        value = property.text();
        break;
    }
  }
  std::string text = object.dump(2);
  const std::string margin = "\n" + std::string(static_cast<std::size_t>(indent), ' ');
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
    text.replace(at, 1, margin);
  }
  return text;
}

Status set_by_name(const Properties& properties, std::string_view name, std::string_view value) {
  const Property* property = find_property(properties, name);
  if (property == nullptr) {
    return Error{"there is no setting called '" + std::string(name) + "': check its spelling."};
  }
  if (set_property(*property, value) != PropertyProblem::kNone) {
    return Error{std::string(property->name) + " cannot be '" + std::string(value) + "': give " +
                 what_is_possible(*property) + "."};
  }
  return Done{};
}

Status set_from_json(std::string_view json, const Properties& properties) {
  const Json object = parse_json(json);
  if (!object.is_object()) return Error{"the settings are not a JSON object: correct the file."};
  for (const auto& [name, value] : object.items()) {
    if (value.is_object() || value.is_array() || value.is_null()) {
      return Error{"the setting '" + name + "' is not a plain value: give a number or a text."};
    }
    const std::string text =
        value.is_string() ? *value.get_ptr<const std::string*>() : value.dump();
    if (Status status = set_by_name(properties, name, text); !status) return status;
  }
  return Done{};
}

}  // namespace tp
