#include "imgui_app/model/attention_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "engine/core/small_sort.h"
#include "engine/inspect/path_pattern.h"

namespace tp::ui {
namespace {

constexpr AttentionKind kKindOf[] = {AttentionKind::cross, AttentionKind::encoder_self,
                                     AttentionKind::decoder_self};  // by ShownAttention

bool is_sound(const WatchedTensor& tensor) {
  if (tensor.rows < 1 || tensor.columns < 1) return false;
  const auto cells =
      static_cast<std::uint64_t>(tensor.rows) * static_cast<std::uint64_t>(tensor.columns);
  return tensor.values.size() == cells;
}

AttentionKind kind_of(const WatchedTensor& tensor) {
  if (tensor.row_axis != tensor.column_axis) return AttentionKind::cross;
  return tensor.row_axis == AxisKind::source_token ? AttentionKind::encoder_self
                                                   : AttentionKind::decoder_self;
}

HeadReading unknown_reading() {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  return {unknown, unknown, unknown, AttentionPattern::none};
}

std::vector<TargetCell> scored_cells(const AttentionLayer& map, const ShownExample* example) {
  std::vector<TargetCell> cells;
  for (const ShownLink& link : targets_of(map, example)) {
    if (link.scored) cells.push_back({link.output, link.source});
  }
  small_sort(cells, &TargetCell::row);
  return cells;
}

// Nothing where the heads do not fit together.
std::optional<AttentionLayer> layer_of(std::span<const WatchedTensor* const> heads,
                                       const ShownExample* example) {
  const WatchedTensor& first = *heads.front();
  AttentionLayer map;
  map.kind = kind_of(first);
  map.heads = static_cast<int>(heads.size());
  map.rows = first.rows;
  map.columns = first.columns;
  std::vector<std::span<const float>> weights;
  for (const WatchedTensor* head : heads) {
    if (!is_sound(*head) || head->rows != map.rows || head->columns != map.columns) return {};
    map.weights.insert(map.weights.end(), head->values.begin(), head->values.end());
    map.readings.push_back(head->reading.value_or(unknown_reading()));
    weights.emplace_back(head->values);
  }
  map.mean = mean_map(weights);
  std::vector<int> visible(first.visible.begin(), first.visible.end());
  visible.resize(static_cast<std::size_t>(map.rows), map.columns);
  map.readings.push_back(
      read_head({map.mean, map.rows, map.columns, visible}, scored_cells(map, example)));
  return map;
}

ShownToken shown(std::string_view word) {
  if (word == "<bos>") return {"␂", true};
  if (word == "<eos>") return {"␃", true};
  if (word == "<unk>") return {"?", true};
  if (word == "<pad>") return {"·", true};
  std::string text;
  for (const char c : word) {  // a blank that can be seen
    text += c == ' ' ? "▁" : c == '\n' ? "¶" : c == '\t' ? "→" : std::string(1, c);
  }
  return {text, false};
}

std::vector<ShownToken> tokens(const std::vector<std::string>* words, int count) {
  std::vector<ShownToken> result(static_cast<std::size_t>(count));
  if (words == nullptr) return result;
  const std::size_t known = std::min(words->size(), result.size());
  for (std::size_t i = 0; i < known; ++i) result[i] = shown((*words)[i]);
  return result;
}

std::vector<ShownToken> source_tokens(const ShownExample& example, int count) {
  std::vector<ShownToken> result = tokens(&example.source, count);
  const std::vector<std::int32_t>& depths = example.drawn.depths;
  const bool patches = example.drawn.patches() == count;
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (patches) result[i].patch = static_cast<int>(i);
    if (depths.size() == result.size()) result[i].depth = depths[i];
  }
  return result;
}

}  // namespace

std::vector<AttentionLayer> attention_layers(const Snapshot& now) {
  // The heads of one attention follow each other.
  std::vector<std::pair<std::string_view, std::vector<const WatchedTensor*>>> groups;
  for (const WatchedTensor& tensor : now.tensors) {
    if (tensor.example >= 0 || !fits_pattern(tensor.path, kAttentionPaths)) continue;
    const std::string_view path = tensor.path;
    const std::string_view name = path.substr(0, path.find(".head."));
    if (groups.empty() || groups.back().first != name) groups.push_back({name, {}});
    groups.back().second.push_back(&tensor);
  }
  std::vector<AttentionLayer> layers;
  for (const auto& [name, heads] : groups) {
    std::optional<AttentionLayer> layer = layer_of(heads, now.example ? &*now.example : nullptr);
    if (!layer) continue;
    layer->layer = static_cast<int>(std::ranges::count(layers, layer->kind, &AttentionLayer::kind));
    layers.push_back(std::move(*layer));
  }
  return layers;
}

AttentionChoice choose_attention(std::span<const AttentionLayer> layers,
                                 const AttentionSettings& wanted) {
  AttentionChoice choice;
  for (const ShownAttention kind :
       {ShownAttention::kCross, ShownAttention::kEncoder, ShownAttention::kDecoder}) {
    const AttentionKind asked = kKindOf[static_cast<std::size_t>(kind)];
    if (std::ranges::find(layers, asked, &AttentionLayer::kind) != layers.end()) {
      choice.kinds.push_back(kind);
    }
  }
  if (choice.kinds.empty()) return choice;
  const bool has_it = std::ranges::find(choice.kinds, wanted.kind) != choice.kinds.end();
  choice.kind = has_it ? wanted.kind : choice.kinds.front();
  for (const AttentionLayer& map : layers) {
    if (map.kind == kKindOf[static_cast<std::size_t>(choice.kind)]) choice.layers.push_back(&map);
  }
  small_sort(choice.layers, &AttentionLayer::layer);
  const int count = static_cast<int>(choice.layers.size());
  choice.layer = wanted.layer >= 1 && wanted.layer <= count ? wanted.layer - 1 : count - 1;
  choice.head = wanted.head >= 1 && wanted.head <= choice.map()->heads ? wanted.head : 0;
  return choice;
}

HeadReading reading_of(const AttentionLayer& map, int head) {
  const std::size_t place = static_cast<std::size_t>(head == 0 ? map.heads : head - 1);
  return place < map.readings.size() ? map.readings[place] : unknown_reading();
}

std::span<const float> weights_of(const AttentionLayer& map, int head) {
  if (head == 0) return map.mean;
  const auto cells = static_cast<std::size_t>(map.rows) * static_cast<std::size_t>(map.columns);
  return std::span(map.weights).subspan(static_cast<std::size_t>(head - 1) * cells, cells);
}

std::vector<ShownToken> row_tokens(const AttentionLayer& map, const ShownExample* example) {
  if (example == nullptr) return tokens(nullptr, map.rows);
  return map.kind == AttentionKind::encoder_self ? source_tokens(*example, map.rows)
                                                 : tokens(&example->written, map.rows);
}

std::vector<ShownToken> column_tokens(const AttentionLayer& map, const ShownExample* example) {
  if (example == nullptr) return tokens(nullptr, map.columns);
  return map.kind == AttentionKind::decoder_self ? tokens(&example->read, map.columns)
                                                 : source_tokens(*example, map.columns);
}

std::vector<ShownToken> axis_tokens(AxisKind axis, bool rows, int count,
                                    const ShownExample* example) {
  if (example == nullptr) return {};
  if (axis == AxisKind::source_token) return source_tokens(*example, count);
  if (axis == AxisKind::target_token)
    return tokens(rows ? &example->written : &example->read, count);
  return {};
}

std::vector<ShownLink> targets_of(const AttentionLayer& map, const ShownExample* example) {
  std::vector<ShownLink> targets;
  if (example == nullptr || map.kind != AttentionKind::cross) return targets;
  for (const ShownLink& link : example->links) {
    const bool inside =
        link.output >= 0 && link.output < map.rows && link.source >= 0 && link.source < map.columns;
    if (inside) targets.push_back(link);
  }
  return targets;
}

bool hidden_from(const AttentionLayer& map, int row, int column) {
  return map.kind == AttentionKind::decoder_self && column > row;
}

int HeadWatch::look(std::uint32_t run, Moment moment, const AttentionLayer& map) {
  const Subject subject{run, moment.branch, map.kind, map.layer, map.heads};
  if (subject != subject_ || moment.step < step_) {
    better_since_.assign(static_cast<std::size_t>(map.heads), -1);
    head_ = 0;
  }
  subject_ = subject;
  step_ = moment.step;
  const double mean = reading_of(map, 0).on_target;
  int best = 0;
  for (int head = 1; head <= map.heads; ++head) {
    std::int64_t& since = better_since_[static_cast<std::size_t>(head - 1)];
    const double own = reading_of(map, head).on_target;
    constexpr double kRounding = 1e-9;                 // of shares such as 9/10 − 8/10
    if (!(own - mean >= kTakeoverLead - kRounding)) {  // also where either is not a number
      since = -1;
      continue;
    }
    if (since < 0) since = static_cast<std::int64_t>(step_);
    const bool steady = step_ - static_cast<std::uint64_t>(since) >= kTakeoverSteps;
    if (steady && (best == 0 || own > reading_of(map, best).on_target)) best = head;
  }
  // The one shown stays for as long as it is ahead at all: no hopping to and fro.
  if (head_ != 0 && !(reading_of(map, head_).on_target > mean)) head_ = 0;
  if (head_ == 0) head_ = best;
  return head_;
}

void Blend::aim(std::span<const float> values, const std::string& subject, double time,
                bool at_once) {
  if (at_once || subject != subject_ || values.size() != now_.size()) {
    now_.assign(values.begin(), values.end());
    moving_ = false;
  } else {
    advance(time);  // as far as it came towards the values before
    from_ = now_;
    to_.assign(values.begin(), values.end());
    start_ = time;
    moving_ = true;
  }
  subject_ = subject;
  ++version_;
}

bool Blend::advance(double time) {
  if (!moving_) return false;
  const double share = (time - start_) / kBlendMilliseconds;
  moving_ = share >= 0 && share < 1;
  ++version_;
  if (!moving_) {
    now_ = to_;
    return false;
  }
  for (std::size_t i = 0; i < now_.size(); ++i) {
    now_[i] = std::lerp(from_[i], to_[i], static_cast<float>(share));
  }
  return true;
}

}  // namespace tp::ui
