#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tp {

// What an example looks like, where it is drawn in place of its tokens or with them. Empty where
// tokens say it all.
//
//   picture    values [width, width], row by row, 0 (paper) to 1 (ink); patches are squares of
//              `patch` pixels, numbered row by row
//   line       values [days]; patch i is the `patch` days from i * stride on
//   brackets   depths, one for each token; -1: it has no partner
//   digits     texts that stand under each other with their last digits aligned
struct Depiction {
  std::int32_t width = 0;
  std::int32_t patch = 0, stride = 0;
  std::vector<float> values = {};
  std::vector<float> truth = {}, predicted = {};  // how the line goes on, as far as it is known
  std::vector<std::int32_t> depths = {};
  bool digits = false;

  // Drawings come from anywhere: one whose sizes make no sense is neither.
  bool is_picture() const {
    return width > 0 && width <= 1024 && patch > 0 && width % patch == 0 &&
           values.size() == static_cast<std::size_t>(width) * static_cast<std::size_t>(width);
  }
  bool is_line() const {
    return width == 0 && patch > 0 && stride > 0 &&
           values.size() >= static_cast<std::size_t>(patch);
  }
  bool is_drawn() const { return is_picture() || is_line(); }
  int patches() const {
    if (is_picture()) return (width / patch) * (width / patch);
    return is_line() ? (static_cast<int>(values.size()) - patch) / stride + 1 : 0;
  }
  bool operator==(const Depiction&) const = default;
};

}  // namespace tp
