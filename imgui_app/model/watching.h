#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace tp::ui {

// What snapshots should carry beside the curves.
struct Watching {
  std::vector<std::string> paths;  // patterns of tensors
  bool samples = false;            // answers to held-out examples

  void add(const Watching& other) {
    for (const std::string& path : other.paths) {
      if (std::ranges::find(paths, path) == paths.end()) paths.push_back(path);
    }
    samples |= other.samples;
  }
  bool operator==(const Watching&) const = default;
};

}  // namespace tp::ui
