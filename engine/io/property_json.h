#pragma once

#include <string>
#include <string_view>

#include "engine/core/property.h"
#include "engine/core/result.h"

// Settings as a flat JSON object: numbers as numbers, toggles as true and false, choices and texts
// as strings.

namespace tp {

// {"d_model": 64, "norm": "pre"}, one line each, indented by `indent` spaces.
std::string json_of(const ConstProperties& properties, int indent = 0);

// Sets what the object names and leaves the rest. An unknown name or a value that is not allowed is
// an error, and some may have been set before it: work on a copy.
Status set_from_json(std::string_view json, const Properties& properties);

// One setting by its name, from a flag or a config file; the error says what is possible.
Status set_by_name(const Properties& properties, std::string_view name, std::string_view value);

}  // namespace tp
