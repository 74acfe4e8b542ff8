#pragma once

#include <string>
#include <string_view>

namespace tp {

// 'name', shortened and without control characters: names in messages come from outside too.
std::string shown_name(std::string_view name);

}  // namespace tp
