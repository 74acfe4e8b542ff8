#pragma once

#include <cstdint>
#include <string>

namespace tp {

// A short decimal that reads back as the same number: 64, 0.002, 1e-05. (std::to_chars would bring
// tables of 100 KB along, which a page has to download.)
std::string short_text(double value);

// A share as a person reads it, with one decimal where it has one: 0%, 97.3%, 60%, 100%.
std::string percent_text(double share);

// How many megabytes (of 2^20 bytes) hold that much, and the same with its unit: 12 MB.
std::uint64_t megabytes(std::uint64_t bytes);
std::string megabytes_text(std::uint64_t bytes);

}  // namespace tp
