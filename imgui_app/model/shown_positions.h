#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/session/run_settings.h"
#include "engine/session/snapshot.h"
#include "imgui_app/model/settings.h"

namespace tp::ui {

// What the model of the run does about positions.
struct ModelPositions {
  PositionKind kind = PositionKind::sinusoidal;
  int d_head = 0;
  double base = 10000;
  std::vector<const WatchedTensor*> learned = {};  // of the source, of the target
  std::uint64_t step = 0;

  // Whether they are other ones than the paper's formula.
  bool differ() const { return kind == PositionKind::rotary || !learned.empty(); }
};

// What is watched for it, and what of that has arrived. Tables whose sizes make no sense are left
// out.
inline constexpr std::string_view kPositionPaths = "*_pos.weight";
std::vector<const WatchedTensor*> learned_positions(const Snapshot& now);

// The table that is shown: the formula's, the learned one as it is now, or the rotations of one
// head.
class ShownPositions {
 public:
  // False when it is of another kind or size than before.
  bool update(const PositionsSettings& settings, const ModelPositions& model);

  PositionKind kind() const { return shape_.kind; }
  bool formula() const { return kind() == PositionKind::sinusoidal; }
  bool learned() const { return kind() == PositionKind::learned; }
  int positions() const { return shape_.positions; }
  int dimensions() const { return shape_.dimensions; }  // of one head, where rotary
  double base() const { return shape_.base; }

  std::span<const float> values() const { return values_; }          // [positions, dimensions]
  std::span<const float> similarity() const { return similarity_; }  // [positions, positions]
  float value(int position, int dimension) const {
    return values_[static_cast<std::size_t>(position) * dimensions() + dimension];
  }
  float limit() const { return limit_; }        // no value lies further from 0
  int version() const { return version_; }      // grows when a value changes
  std::uint64_t step() const { return step_; }  // that learned ones are of
  double frequency(int dimension) const;        // radians a position, where not learned

 private:
  struct Shape {
    PositionKind kind = PositionKind::none;
    int positions = 0, dimensions = 0;
    double base = 0;
    bool operator==(const Shape&) const = default;
  };
  Shape shape_;
  int version_ = 0;
  float limit_ = 1;
  std::uint64_t step_ = 0;
  std::vector<float> values_, similarity_;
};

}  // namespace tp::ui
