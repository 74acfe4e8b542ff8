#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "engine/session/snapshot.h"
#include "imgui_app/model/settings.h"

// Which of a run's attention maps is shown large, and what there is to say of it. Knows no ImGui.
// A snapshot may be cut short or belong to another example: nothing here trusts its sizes.

namespace tp::ui {

// A token as the axes of a map show it. Marks (begin, end) are muted.
struct ShownToken {
  std::string text;
  bool mark = false;
  bool operator==(const ShownToken&) const = default;
};

struct AttentionChoice {
  std::vector<ShownAttention> kinds;  // that the model has
  ShownAttention kind = ShownAttention::kCross;
  std::vector<const AttentionMap*> layers;  // of that kind, the first layer first
  int layer = 0;                            // in `layers`
  int head = 0;                             // counts from 1; 0: the mean over all

  const AttentionMap* map() const {
    return layers.empty() ? nullptr : layers[static_cast<std::size_t>(layer)];
  }
};

// What the settings ask for, or the nearest that the run has. Maps whose sizes make no sense are
// left out, so that all others can be read without a check.
AttentionChoice choose_attention(const Snapshot& now, const AttentionSettings& wanted);

// Of a head, or of the mean (head 0). What is not known is not a number.
HeadReading reading_of(const AttentionMap& map, int head);
// [rows, columns] of a head; `mean` is made and returned for head 0.
std::span<const float> weights_of(const AttentionMap& map, int head, std::vector<float>& mean);

// The tokens along the axes of a map: exactly as many as it has rows and columns.
std::vector<ShownToken> row_tokens(const AttentionMap& map, const ShownExample* example);
std::vector<ShownToken> column_tokens(const AttentionMap& map, const ShownExample* example);
// Where the rows should look. Only cross-attention has such cells.
std::vector<ShownLink> targets_of(const AttentionMap& map, const ShownExample* example);
// Whether a row cannot see a column, because it comes later.
bool hidden_from(const AttentionMap& map, int row, int column);

// A head takes over from the mean when it has been this much better for so many steps.
inline constexpr double kTakeoverLead = 0.1;
inline constexpr std::uint64_t kTakeoverSteps = 20;

// Watches the heads of one layer for one that is steadily more on target than their mean.
class HeadWatch {
 public:
  // Call with every snapshot. The head to show instead of the mean, counting from 1; 0: the mean.
  int look(std::uint32_t run, Moment moment, const AttentionMap& map);

 private:
  using Subject = std::tuple<std::uint32_t, std::int32_t, AttentionKind, int, int>;
  Subject subject_ = {};
  std::uint64_t step_ = 0;
  std::vector<std::int64_t> better_since_;  // the step, by head; -1: it is not
  int head_ = 0;
};

// Values on their way to new ones.
class Blend {
 public:
  // `subject` says what the values are of: those of another one are there at once.
  void aim(std::span<const float> values, const std::string& subject, double time, bool at_once);
  // True while they are still moving.
  bool advance(double time);

  std::span<const float> values() const { return now_; }
  int version() const { return version_; }

 private:
  std::vector<float> from_, to_, now_;
  std::string subject_;
  double start_ = 0;
  bool moving_ = false;
  int version_ = 0;
};
inline constexpr double kBlendMilliseconds = 120;

}  // namespace tp::ui
