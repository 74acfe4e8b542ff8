#include "imgui_app/model/notices.h"

#include <algorithm>
#include <utility>

namespace tp::ui {

void Notices::add(std::string text, NoticeTone tone) {
  std::erase_if(all_, [&](const Notice& notice) { return notice.text == text; });
  all_.push_back({std::move(text), tone});
  if (all_.size() > 3) all_.erase(all_.begin());
}

bool Notices::seen(std::size_t index, double time) {
  Notice& notice = all_[index];
  if (notice.since >= 0) return false;
  notice.since = time;
  return notice.tone == NoticeTone::kGood;
}

void Notices::expire(double time) {
  std::erase_if(all_, [&](const Notice& notice) {
    return notice.tone == NoticeTone::kGood && notice.since >= 0 &&
           time - notice.since >= kGoodNewsMs;
  });
}

bool Notices::close(std::size_t index) {
  if (index >= all_.size()) return false;
  all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(index));
  return true;
}

void Notices::follow(const Snapshot& before, const Snapshot& snapshot, Language language) {
  const bool failed = snapshot.state == RunState::failed;
  const bool moved = snapshot.moment != before.moment;
  if (before.run != 0 && snapshot.run != before.run) clear();
  if (moved) {
    std::erase_if(all_, [&](const Notice& notice) { return notice.text == failure_; });
    failure_.clear();
  }
  for (const Sentence* sentence : {&snapshot.error, &snapshot.warning}) {
    if (!sentence->empty()) add(in_language(*sentence, language));
  }
  if (failed && !snapshot.error.empty() && (moved || before.state != RunState::failed)) {
    failure_ = in_language(snapshot.error, language);
  }
}

}  // namespace tp::ui
