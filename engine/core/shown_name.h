#pragma once

#include <string>
#include <string_view>

namespace tp {

// Shortened and without control characters: what messages quote comes from outside too.
std::string shown_text(std::string_view text);
// The same between quotes.
std::string shown_name(std::string_view name);

}  // namespace tp
