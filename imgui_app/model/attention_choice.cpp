#include "imgui_app/model/attention_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tp::ui {
namespace {

constexpr AttentionKind kKindOf[] = {AttentionKind::cross, AttentionKind::encoder_self,
                                     AttentionKind::decoder_self};  // by ShownAttention

bool is_sound(const AttentionMap& map) {
  if (map.heads < 1 || map.rows < 1 || map.columns < 1) return false;
  const auto cells = static_cast<std::uint64_t>(map.rows) * static_cast<std::uint64_t>(map.columns);
  return map.weights.size() / cells == static_cast<std::uint64_t>(map.heads) &&
         map.weights.size() % cells == 0;
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

}  // namespace

AttentionChoice choose_attention(const Snapshot& now, const AttentionSettings& wanted) {
  AttentionChoice choice;
  for (const ShownAttention kind :
       {ShownAttention::kCross, ShownAttention::kEncoder, ShownAttention::kDecoder}) {
    const AttentionKind asked = kKindOf[static_cast<std::size_t>(kind)];
    if (std::ranges::any_of(now.attention, [&](const AttentionMap& map) {
          return map.kind == asked && is_sound(map);
        })) {
      choice.kinds.push_back(kind);
    }
  }
  if (choice.kinds.empty()) return choice;
  const bool has_it = std::ranges::find(choice.kinds, wanted.kind) != choice.kinds.end();
  choice.kind = has_it ? wanted.kind : choice.kinds.front();
  for (const AttentionMap& map : now.attention) {
    if (map.kind == kKindOf[static_cast<std::size_t>(choice.kind)] && is_sound(map)) {
      choice.layers.push_back(&map);
    }
  }
  std::ranges::stable_sort(choice.layers, {}, &AttentionMap::layer);
  const int count = static_cast<int>(choice.layers.size());
  choice.layer = wanted.layer >= 1 && wanted.layer <= count ? wanted.layer - 1 : count - 1;
  choice.head = wanted.head >= 1 && wanted.head <= choice.map()->heads ? wanted.head : 0;
  return choice;
}

HeadReading reading_of(const AttentionMap& map, int head) {
  const std::size_t place = static_cast<std::size_t>(head == 0 ? map.heads : head - 1);
  if (place < map.readings.size()) return map.readings[place];
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  return {unknown, unknown, unknown, AttentionPattern::none};
}

std::span<const float> weights_of(const AttentionMap& map, int head, std::vector<float>& mean) {
  const auto cells = static_cast<std::size_t>(map.rows) * static_cast<std::size_t>(map.columns);
  const std::span<const float> all = map.weights;
  if (head > 0) return all.subspan(static_cast<std::size_t>(head - 1) * cells, cells);
  mean.assign(cells, 0.0f);
  for (std::size_t i = 0; i < all.size(); ++i) mean[i % cells] += all[i];
  for (float& value : mean) value /= static_cast<float>(map.heads);
  return mean;
}

std::vector<ShownToken> row_tokens(const AttentionMap& map, const ShownExample* example) {
  if (example == nullptr) return tokens(nullptr, map.rows);
  return tokens(map.kind == AttentionKind::encoder_self ? &example->source : &example->written,
                map.rows);
}

std::vector<ShownToken> column_tokens(const AttentionMap& map, const ShownExample* example) {
  if (example == nullptr) return tokens(nullptr, map.columns);
  return tokens(map.kind == AttentionKind::decoder_self ? &example->read : &example->source,
                map.columns);
}

std::vector<ShownLink> targets_of(const AttentionMap& map, const ShownExample* example) {
  std::vector<ShownLink> targets;
  if (example == nullptr || map.kind != AttentionKind::cross) return targets;
  for (const ShownLink& link : example->links) {
    const bool inside =
        link.output >= 0 && link.output < map.rows && link.source >= 0 && link.source < map.columns;
    if (inside) targets.push_back(link);
  }
  return targets;
}

bool hidden_from(const AttentionMap& map, int row, int column) {
  return map.kind == AttentionKind::decoder_self && column > row;
}

int HeadWatch::look(std::uint32_t run, Moment moment, const AttentionMap& map) {
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
