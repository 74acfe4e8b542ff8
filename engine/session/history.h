#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "engine/session/snapshot.h"
#include "engine/train/trainer.h"

// The time machine's memory: whole states of a trainer, so that going back is going back to every
// bit. It never takes more than its limit; when that is reached, every other moment is let go, so
// that those which stay are spread evenly over the run.

namespace tp {

class History {
 public:
  // Why a moment is kept: what comes later here is let go later.
  enum class Reason { ordinary, still, head, beginning };

  explicit History(std::size_t limit) : limit_(limit) {}

  // Keeps the trainer's state as `moment`, if it fits or space can be made, and says whether
  // it did. Ordinary moments are taken only as often as the memory allows. Of a moment that is kept
  // already the stronger reason counts.
  bool keep(Moment moment, Reason reason, const Trainer& trainer);

  bool has(Moment moment) const { return find(moment) != nullptr; }
  // The state that was kept, back into the trainer.
  void restore(Moment moment, Trainer& trainer) const;
  // The parameters alone.
  std::span<const float> values(Moment moment) const;

  std::vector<Moment> moments() const;
  std::size_t bytes() const;
  // A moment that must not be removed: the target of a rewind.
  void protect(Moment moment) { protected_ = moment; }

 private:
  struct State {
    Moment moment;
    Reason reason;
    TrainerState trainer;
    std::size_t count;
    std::unique_ptr<float[]> numbers;  // values, first and second moments
    std::size_t bytes() const { return 3 * count * sizeof(float); }
  };

  const State* find(Moment moment) const;
  // Lets go of something; false when there is nothing left that may go for `reason`.
  bool let_go(Reason reason);

  std::size_t limit_;
  std::vector<State> states_;
  std::uint64_t stride_ = 5;  // steps between ordinary moments
  Moment protected_{-1, 0};
};

}  // namespace tp
