#pragma once

#include <string_view>

namespace tp::cli {

// What a setting means, as the page's "?" says it; empty when the page does not know it.
std::string_view meaning_of(std::string_view setting);

// What its number counts, "steps" or "tokens"; empty: a plain number.
std::string_view unit_of(std::string_view setting);

// The heading that stands before this setting in lists; empty: it goes on with the one before.
std::string_view heading_before(std::string_view setting);

}  // namespace tp::cli
