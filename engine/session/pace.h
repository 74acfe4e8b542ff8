#pragma once

#include <algorithm>

// When steps are due, and how fast they really come. Times are milliseconds.

namespace tp {

class Pace {
 public:
  // Steps a second; 0: as fast as it goes.
  void set(double per_second, double now) {
    interval_ = per_second > 0 ? 1000 / per_second : 0;
    next_ = std::min(next_, now + interval_);
  }
  double per_second() const { return interval_ > 0 ? 1000 / interval_ : 0; }
  void restart(double now) { next_ = now; }
  // How long until a step is due; 0 when it is.
  double wait(double now) const { return interval_ > 0 ? std::max(0.0, next_ - now) : 0; }
  // A step has begun. One that came late does not make the next one hurry.
  void begun(double now) { next_ = std::max(next_ + interval_, now); }

 private:
  double interval_ = 0, next_ = 0;
};

// Steps a second over the last half second, or since there are any.
class Speed {
 public:
  void restart(double now) {
    begin_ = now;
    steps_ = 0;
    known_ = 0;
  }
  void step_done(double now) {
    ++steps_;
    const double elapsed = now - begin_;
    if (elapsed < kWindow) return;
    known_ = 1000 * steps_ / elapsed;
    begin_ = now;
    steps_ = 0;
  }
  double per_second(double now) const {
    if (known_ > 0) return known_;
    return steps_ > 1 && now > begin_ ? 1000 * steps_ / (now - begin_) : 0;
  }

 private:
  static constexpr double kWindow = 500;
  double begin_ = 0, known_ = 0;
  int steps_ = 0;
};

}  // namespace tp
