#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/property.h"
#include "engine/core/result.h"

// The words behind `tp COMMAND`: --flag VALUE, --flag=VALUE and switches. Names are spelled with
// dashes; underscores are accepted as well.

namespace tp::cli {

struct Flag {
  std::string_view name;   // without the dashes
  std::string_view value;  // what stands for it in the help; empty: a switch, which takes none
  std::string_view help;
  bool repeats = false;  // may be given more than once
};

// Names the nearest of `names`, or the help.
Error unknown_flag(std::string_view name, std::span<const std::string_view> names);

class Arguments {
 public:
  // `flags` are the command's own. With `settings`, others are taken for settings of a run, and a
  // setting without a value says "true".
  static Result<Arguments> parse(std::span<const std::string_view> words,
                                 std::span<const Flag> flags, bool settings);

  bool has(std::string_view name) const { return find(name).has_value(); }
  std::optional<std::string> find(std::string_view name) const;
  // Of a flag that repeats.
  std::vector<std::string> all(std::string_view name) const;
  // Sets the property when there is a flag of its name.
  Status read(const Property& property) const;
  // The error says what is missing.
  Result<std::string> required(std::string_view name) const;

  struct Setting {
    std::string name, value;
  };
  const std::vector<Setting>& settings() const { return settings_; }

 private:
  std::vector<Setting> flags_, settings_;
};

}  // namespace tp::cli
