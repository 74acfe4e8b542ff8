#include "cli/arguments.h"

#include <algorithm>

#include "engine/core/nearest.h"
#include "engine/core/shown_name.h"
#include "engine/io/property_json.h"

namespace tp::cli {

Error unknown_flag(std::string_view name, std::span<const std::string_view> names) {
  const std::string_view near = nearest_name(name, names);
  return {"there is no flag --" + shown_text(name) +
          (near.empty() ? ": see the help of this command."
                        : ": the nearest is --" + dashed(near) + ".")};
}

Result<Arguments> Arguments::parse(std::span<const std::string_view> words,
                                   std::span<const Flag> flags, bool settings) {
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (!word.starts_with("--") || word.size() == 2) {
      return Error{shown_name(word) + " stands alone: write --flag VALUE."};
    }
    const std::size_t equals = word.find('=');
    const std::string name = dashed(word.substr(2, equals == word.npos ? equals : equals - 2));
    const auto flag = std::ranges::find(flags, name, &Flag::name);
    const bool own = flag != flags.end();
    if (!own && !settings) {
      std::vector<std::string_view> names;
      for (const Flag& known : flags) names.push_back(known.name);
      return unknown_flag(name, names);
    }
    Setting setting{name, "true"};
    const bool takes_value = !own || !flag->value.empty();
    if (equals != word.npos) {
      if (!takes_value) return Error{"--" + name + " takes no value: leave it out."};
      setting.value = word.substr(equals + 1);
    } else if (takes_value && i + 1 < words.size() && !words[i + 1].starts_with("--")) {
      setting.value = words[++i];
    } else if (own && takes_value) {
      return Error{"--" + name + " needs a value: write --" + name + " " +
                   std::string(flag->value) + "."};
    }
    std::vector<Setting>& list = own ? arguments.flags_ : arguments.settings_;
    const bool repeats = own && flag->repeats;
    if (!repeats && std::ranges::find(list, name, &Setting::name) != list.end()) {
      return Error{"--" + name + " is given twice: keep one."};
    }
    list.push_back(std::move(setting));
  }
  return arguments;
}

std::optional<std::string> Arguments::find(std::string_view name) const {
  const auto at = std::ranges::find(flags_, name, &Setting::name);
  if (at == flags_.end()) return std::nullopt;
  return at->value;
}

std::vector<std::string> Arguments::all(std::string_view name) const {
  std::vector<std::string> values;
  for (const Setting& flag : flags_) {
    if (flag.name == name) values.push_back(flag.value);
  }
  return values;
}

Status Arguments::read(const Property& property) const {
  const std::optional<std::string> value = find(dashed(property.name));
  return value ? set_by_name({property}, property.name, *value) : Status(Done{});
}

Result<std::string> Arguments::required(std::string_view name) const {
  if (std::optional<std::string> value = find(name)) return *value;
  return Error{"--" + std::string(name) + " is missing: see the help of this command."};
}

}  // namespace tp::cli
