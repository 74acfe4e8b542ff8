#pragma once

#include <span>
#include <string_view>

#include "engine/core/result.h"

namespace tp {

// Of `names`, the one that was probably meant by `word`: at most a third of it is typed otherwise.
// Dashes and underscores are the same. Empty when there is none.
std::string_view nearest_name(std::string_view word, std::span<const std::string_view> names);

// What to say of `name` where only `names` are known. `kind` in both languages is what they are: a
// task, a preset.
Error unknown_name(const Error& kind, std::string_view name,
                   std::span<const std::string_view> names);

}  // namespace tp
