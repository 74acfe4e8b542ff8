#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/session/snapshot.h"
#include "imgui_app/model/settings.h"

// Which of a run's attention maps is shown large, and what there is to say of it. Knows no ImGui.
// A snapshot may be cut short or belong to another example: nothing here trusts its sizes.

namespace tp::ui {

// A token as the axes of a map show it. Marks (begin, end) are muted; a patch is drawn in place of
// its number, and brackets have the colour of their depth.
struct ShownToken {
  std::string text;
  bool mark = false;
  int patch = -1;
  std::optional<int> depth = {};
  bool operator==(const ShownToken&) const = default;
};

enum class AttentionKind { encoder_self, decoder_self, cross };

// The watched weights of all heads of one attention, with their mean.
struct AttentionLayer {
  AttentionKind kind = AttentionKind::cross;
  int layer = 0, heads = 0, rows = 0, columns = 0;
  std::vector<float> weights;         // [heads, rows, columns]
  std::vector<float> mean;            // [rows, columns]
  std::vector<HeadReading> readings;  // of each head, then of their mean
};

// What is watched for it.
inline constexpr std::string_view kAttentionPaths = "*.head.*.weights";

// Tensors whose sizes make no sense are left out, so that all others can be read without a check.
std::vector<AttentionLayer> attention_layers(const Snapshot& now);

struct AttentionChoice {
  std::vector<ShownAttention> kinds;  // that the model has
  ShownAttention kind = ShownAttention::kCross;
  std::vector<const AttentionLayer*> layers;  // of that kind, the first layer first
  int layer = 0;                              // in `layers`
  int head = 0;                               // counts from 1; 0: the mean over all

  const AttentionLayer* map() const {
    return layers.empty() ? nullptr : layers[static_cast<std::size_t>(layer)];
  }
};

// What the settings name, or the nearest that the run has.
AttentionChoice choose_attention(std::span<const AttentionLayer> layers,
                                 const AttentionSettings& wanted);

// Of a head, or of the mean (head 0). What is not known is not a number.
HeadReading reading_of(const AttentionLayer& map, int head);
// [rows, columns] of a head, or of the mean.
std::span<const float> weights_of(const AttentionLayer& map, int head);

// The tokens along the axes of a map: exactly as many as it has rows and columns.
std::vector<ShownToken> row_tokens(const AttentionLayer& map, const ShownExample* example);
std::vector<ShownToken> column_tokens(const AttentionLayer& map, const ShownExample* example);
// The same for an axis of any tensor: none where it is not one of tokens. Down the side a token of
// the answer is the one that is being written, along the other side the one that was read.
std::vector<ShownToken> axis_tokens(AxisKind axis, bool rows, int count,
                                    const ShownExample* example);
// Where the rows should look. Only cross-attention has such cells.
std::vector<ShownLink> targets_of(const AttentionLayer& map, const ShownExample* example);
// Whether a row cannot see a column, because it comes later.
bool hidden_from(const AttentionLayer& map, int row, int column);

// A head takes over from the mean when it has been this much better for this many steps.
inline constexpr double kTakeoverLead = 0.1;
inline constexpr std::uint64_t kTakeoverSteps = 20;

// Watches the heads of one layer for one that is steadily more on target than their mean.
class HeadWatch {
 public:
  // Call with every snapshot. The head to show instead of the mean, counting from 1; 0: the mean.
  int look(std::uint32_t run, Moment moment, const AttentionLayer& map);

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
