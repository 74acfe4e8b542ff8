#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

// One table describes every setting: its name, its range and the field it lives in. From it come
// the canvas control, the DOM control, the URL, the config file and the command-line flag.

namespace tp {

// A setting that can be read.
struct ConstProperty {
  enum class Kind { kToggle, kInteger, kReal, kChoice, kText };

  // A field of some enumeration, without its type.
  struct EnumField {
    void* field;
    int (*get)(const void* field);
    void (*set)(void* field, int value);
  };

  using Target = std::variant<bool*, int*, double*, EnumField, std::string*>;

  ConstProperty(std::string_view its_name, Kind its_kind, Target its_target, double lowest,
                double highest)
      : name(its_name), kind(its_kind), minimum(lowest), maximum(highest), target(its_target) {}

  std::string_view name;  // snake_case, as in config files; dashes in URLs and flags
  Kind kind;
  double minimum, maximum;   // numbers: the closed range. Texts: `maximum` is the most bytes
  double step = 1;           // whole numbers: distance between allowed values, from `minimum` on
  bool logarithmic = false;  // how a slider spreads the range
  // What a slider offers, where the whole range would leave no room for the useful part; typing
  // reaches the rest. Equal: all of it.
  double from = 0, to = 0;
  std::vector<std::string_view> choices = {};

  // Toggles, numbers and choices (the index) as a number. Not for texts.
  double number() const;
  // The value in its canonical spelling: "64", "1e-05", "post", "true".
  std::string text() const;

 protected:
  Target target;
};

// One that can be written to as well.
struct Property : ConstProperty {
  using ConstProperty::ConstProperty;
  using ConstProperty::target;
};

// A list bound to one settings object; made anew whenever it is needed, since one setting may limit
// the range of another.
using Properties = std::vector<Property>;
using ConstProperties = std::vector<ConstProperty>;

ConstProperties read_only(Properties properties);

// The list of an object that may only be read. Every list is written once, for an object that may
// be written to, and not a second time for one that may not: here alone `const` is put aside, and
// what is handed out has no way to write.
template <class T>
ConstProperties read_only(const T& object, Properties (*list)(std::type_identity_t<T>& object)) {
  return read_only(list(const_cast<T&>(object)));
}

enum class PropertyProblem {
  kNone,
  kUnknown,      // no property of that name
  kNotANumber,   // or not a whole one where one is needed
  kOutOfRange,   // or between the steps
  kNotAChoice,   // toggles included
  kNotPrintable  // a text that is too long, not UTF-8, or holds control characters
};

// What is wrong with a number as the value of a property that is not a text.
PropertyProblem problem_of(const ConstProperty& property, double number);
// Sets the value, or says what is wrong with it and leaves it as it was.
PropertyProblem set_property(const Property& property, std::string_view text);
PropertyProblem set_property(const Property& property, double number);

// By name, with dashes or underscores. Null when there is none.
const Property* find_property(const Properties& properties, std::string_view name);
const ConstProperty* find_property(const ConstProperties& properties, std::string_view name);

// The name as flags and URLs spell it.
std::string dashed(std::string_view name);

Property toggle(std::string_view name, bool& field);
Property integer(std::string_view name, int& field, int minimum, int maximum, int step = 1);
Property real(std::string_view name, double& field, double minimum, double maximum,
              bool logarithmic = false);
Property free_text(std::string_view name, std::string& field, int longest);
Property choice(std::string_view name, Property::EnumField field,
                std::vector<std::string_view> names);
// An index into names that are known only while the program runs.
Property choice(std::string_view name, int& field, std::vector<std::string_view> names);
// The same property, whose slider goes by ratios through a part of the range.
Property by_ratio(Property property, double from, double to);

template <class E>
Property choice(std::string_view name, E& field, std::vector<std::string_view> names) {
  static_assert(std::is_enum_v<E>);
  const Property::EnumField target{
      &field, [](const void* f) { return static_cast<int>(*static_cast<const E*>(f)); },
      [](void* f, int value) { *static_cast<E*>(f) = static_cast<E>(value); }};
  return choice(name, target, std::move(names));
}

}  // namespace tp
