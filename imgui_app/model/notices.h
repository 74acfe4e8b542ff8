#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/session/snapshot.h"
#include "imgui_app/strings/strings.h"

namespace tp::ui {

enum class NoticeTone { kProblem, kGood };

struct Notice {
  std::string text;
  NoticeTone tone = NoticeTone::kProblem;
  double since = -1;  // milliseconds; when it was first seen
};

// Sentences that lie over the page, the newest last. When there are three, the oldest goes.
class Notices {
 public:
  static constexpr double kGoodNewsMs = 4000;  // then it goes by itself

  void add(std::string text, NoticeTone tone = NoticeTone::kProblem);
  bool close(std::size_t index);  // false when there is none
  void clear() { all_.clear(); }
  const std::vector<Notice>& all() const { return all_; }
  // One was drawn. True when it is good news that is seen for the first time.
  bool seen(std::size_t index, double time);
  // Good news that a pointer rests on stays.
  void hold(std::size_t index, double time) { all_[index].since = time; }
  void expire(double time);

  // What a snapshot has to say. Notices about another run go; what stopped the run is said until
  // it continues from a good state, or stops again.
  void follow(const Snapshot& before, const Snapshot& snapshot, Language language);

 private:
  std::vector<Notice> all_;
  std::string failure_;  // the one of them that says what stopped the run
};

}  // namespace tp::ui
