#pragma once

#include <string>

namespace tp {

// A short decimal that reads back as the same number: 64, 0.002, 1e-05. (std::to_chars would bring
// tables of 100 KB along, which a page has to download.)
std::string short_text(double value);

}  // namespace tp
