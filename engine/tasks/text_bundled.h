#pragma once

#include <string_view>

namespace tp {

// What the task `text` learns from when the user gives nothing: how a Transformer learns, and the
// diary of one that does, told in English and in Korean by turns. Written for this project.
std::string_view bundled_text();

}  // namespace tp
