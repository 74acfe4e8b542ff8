#include "engine/io/property_json.h"

#include "engine/core/json.h"
#include "engine/core/nearest.h"
#include "engine/core/shown_name.h"

namespace tp {
namespace {

// In English and in Korean.
Error what_is_possible(const ConstProperty& property) {
  switch (property.kind) {
    case Property::Kind::kToggle:
      return {"true or false", "true, false"};
    case Property::Kind::kChoice: {
      Error names;
      for (std::string_view name : property.choices) {
        const bool first = names.message.empty(), last = name == property.choices.back();
        (names.message += first ? "" : last ? " or " : ", ") += name;
        (names.korean += first ? "" : ", ") += name;
      }
      return names;
    }
    case Property::Kind::kText: {
      const std::string most = Json(property.maximum).dump();
      return {"a text of at most " + most + " bytes", "글, 최대 " + most + "바이트"};
    }
    case Property::Kind::kInteger:
    case Property::Kind::kReal:
      break;
  }
  const bool whole = property.kind == Property::Kind::kInteger;
  const auto number = [whole](double x) {
    return whole ? std::to_string(static_cast<long>(x)) : Json(x).dump();
  };
  const std::string low = number(property.minimum), high = number(property.maximum);
  return {(whole ? "a whole number from " : "a number from ") + low + " to " + high,
          (whole ? "정수, 최소 " : "수, 최소 ") + low + ", 최대 " + high};
}

}  // namespace

std::string json_of(const ConstProperties& properties, int indent) {
  Json object = Json::object();
  for (const ConstProperty& property : properties) {
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
    std::vector<std::string_view> names;
    for (const Property& known : properties) names.push_back(known.name);
    const std::string near(nearest_name(name, names));
    return Error{"there is no setting called " + shown_name(name) +
                     (near.empty() ? ": check its spelling." : ": the nearest is " + near + "."),
                 "없는 설정입니다: " + shown_text(name) + ". " +
                     (near.empty() ? "철자를 확인해 주십시오." : "비슷한 설정: " + near + ".")};
  }
  if (set_property(*property, value) != PropertyProblem::kNone) {
    const Error possible = what_is_possible(*property);
    const std::string name_text(property->name);
    return Error{name_text + " cannot be " + shown_name(value) + ": give " + possible.message + ".",
                 "쓸 수 없는 값입니다: " + name_text + " = " + shown_text(value) +
                     ". 쓸 수 있는 값: " + possible.korean + "."};
  }
  return Done{};
}

Status set_from_json(std::string_view json, const Properties& properties) {
  const Json object = parse_json(json);
  if (!object.is_object()) {
    return Error{"the settings are not a JSON object: correct the file.",
                 "설정이 JSON 객체가 아닙니다. 내용을 고쳐 주십시오."};
  }
  for (const auto& [name, value] : object.items()) {
    if (value.is_object() || value.is_array() || value.is_null()) {
      return Error{
          "the setting " + shown_name(name) + " is not a plain value: give a number or a text.",
          "설정 값이 수나 글이 아닙니다: " + shown_text(name) + ". 값을 고쳐 주십시오."};
    }
    const std::string text =
        value.is_string() ? *value.get_ptr<const std::string*>() : value.dump();
    if (Status status = set_by_name(properties, name, text); !status) return status;
  }
  return Done{};
}

}  // namespace tp
