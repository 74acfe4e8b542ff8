#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/session/snapshot.h"
#include "imgui_app/strings/strings.h"

namespace tp::ui {

// Sentences at the top of the page, the newest last. When there are three, the oldest goes.
class Notices {
 public:
  void add(std::string text);
  bool close(std::size_t index);  // false when there is none
  void clear() { all_.clear(); }
  const std::vector<std::string>& all() const { return all_; }

  // What a snapshot has to say. Notices about another run go; what stopped the run is said until
  // it continues from a good state, or stops again.
  void follow(const Snapshot& before, const Snapshot& snapshot, Language language);

 private:
  std::vector<std::string> all_;
  std::string failure_;  // the one of them that says what stopped the run
};

}  // namespace tp::ui
