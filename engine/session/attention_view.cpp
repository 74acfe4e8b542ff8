#include "engine/session/attention_view.h"

#include <algorithm>

#include "engine/session/shown_answer.h"
#include "engine/train/trainer.h"

namespace tp {
namespace {

// The columns that a row may see: hidden ones weigh exactly nothing, and so does what is far from
// the row's best. Which of them a row may see is told by its scores.
std::vector<int> allowed_columns(ConstMatrix<float> scores) {
  std::vector<int> allowed;
  for (int r = 0; r < scores.rows; ++r) {
    const float* row = scores.row(r);
    allowed.push_back(static_cast<int>(
        std::count_if(row, row + scores.columns, [](float score) { return score > -1e30f; })));
  }
  return allowed;
}

HeadReading reading_of(const MapView& map, std::span<const TargetCell> targets) {
  const TargetReading target = target_reading(map, targets);
  return {entropy_share(map), target.share, target.weight, pattern_of(map)};
}

}  // namespace

Result<std::unique_ptr<AttentionView>> AttentionView::create(std::shared_ptr<const Task> task,
                                                             const Transformer<float>& model,
                                                             std::size_t memory_limit) {
  auto activations =
      model.make_activations(batch_limits(model.config(), 1), GradientMemory::kept, memory_limit);
  if (!activations) return activations.error();
  return std::unique_ptr<AttentionView>(
      new AttentionView(std::move(task), model, std::move(activations.value())));
}

AttentionView::AttentionView(std::shared_ptr<const Task> task, const Transformer<float>& model,
                             std::unique_ptr<Activations<float>> activations)
    : task_(std::move(task)),
      activations_(std::move(activations)),
      batches_(*task_, model.config(), 1) {
  choose(0);
}

void AttentionView::choose(int index) {
  task_->sample(Split::held_out, kExamSeed, static_cast<std::uint64_t>(index), example_);
  batches_.clear();
  batches_.add(example_);
  batches_.pack();
  shown_ = {};
  shown_.index = index;
  describe();
}

void AttentionView::describe() {
  const TaskKind kind = task_->info().kind;
  const Vocabulary& words = task_->target_vocabulary();
  const std::span<const int> target = example_.target;
  if (kind == TaskKind::decoder_only) {
    shown_.read = words_of(target.first(target.size() - 1), words);
    shown_.written = words_of(target.subspan(1), words);
  } else {
    shown_.source = read_words(*task_, example_);
  }
  if (kind == TaskKind::encoder_decoder) {
    shown_.read = shown_.written = words_of(target, words);
    shown_.read.emplace(shown_.read.begin(), words.word(kBegin));
    shown_.written.emplace_back(words.word(kEnd));
  }
  for (const Link& link : example_.links) {
    shown_.links.push_back({link.output, link.source, link.scored});
  }
  shown_.source_text = task_->source_text(example_);
  shown_.answer_text = answer_text(*task_, example_, answer_of(example_));
}

bool AttentionView::advance_look(const Transformer<float>& model) {
  model.forward_stage(stage_, batches_.packed(), {}, *activations_);
  stage_ = stage_ + 1 < model.stages() ? stage_ + 1 : -1;
  return stage_ < 0;
}

AttentionMap AttentionView::map_of(const Attention<float>& attention,
                                   const Attention<float>::Cache& cache, AttentionKind kind,
                                   int layer) const {
  AttentionMap map;
  map.kind = kind;
  map.layer = layer;
  map.heads = attention.heads();
  map.rows = cache.queries->length(0);
  map.columns = cache.keys->length(0);
  std::vector<TargetCell> targets;
  if (kind == AttentionKind::cross) {
    for (const Link& link : example_.links) {
      if (link.scored) targets.push_back({link.output, link.source});
    }
  }
  const std::size_t size =
      static_cast<std::size_t>(map.rows) * static_cast<std::size_t>(map.columns);
  std::vector<float> mean(size, 0.0f);
  const std::vector<int> allowed = allowed_columns(attention.of_head(cache.scores, cache, 0, 0));
  for (int h = 0; h < map.heads; ++h) {
    const std::span<const float> weights = attention.of_head(cache.weights, cache, 0, h).flat();
    map.weights.insert(map.weights.end(), weights.begin(), weights.end());
    for (std::size_t i = 0; i < size; ++i) {
      mean[i] += weights[i] / static_cast<float>(map.heads);
    }
    map.readings.push_back(reading_of({weights, map.rows, map.columns, allowed}, targets));
  }
  map.readings.push_back(reading_of({mean, map.rows, map.columns, allowed}, targets));
  return map;
}

std::vector<AttentionMap> AttentionView::maps(const Transformer<float>& model) const {
  std::vector<AttentionMap> maps;
  const Activations<float>& a = *activations_;
  const auto add = [&](const auto& side, const auto& cache, AttentionKind kind) {
    for (int i = 0; side && i < side->stack.depth(); ++i) {
      const Block<float>& layer = side->stack.layers()[i];
      if (kind != AttentionKind::cross) {
        maps.push_back(
            map_of(layer.self_attention(), cache.stack.layers[i].self_attention, kind, i));
      } else if (layer.cross_attention()) {
        maps.push_back(
            map_of(*layer.cross_attention(), cache.stack.layers[i].cross_attention, kind, i));
      }
    }
  };
  add(model.source(), a.source, AttentionKind::encoder_self);
  add(model.target(), a.target, AttentionKind::decoder_self);
  add(model.target(), a.target, AttentionKind::cross);
  return maps;
}

Still AttentionView::still(const Transformer<float>& model) const {
  const auto& side = model.target() ? model.target() : model.source();
  const Block<float>& layer = side->stack.layers().back();
  const auto& cache =
      (model.target() ? activations_->target : activations_->source).stack.layers.back();
  const AttentionMap map =
      layer.cross_attention()
          ? map_of(*layer.cross_attention(), cache.cross_attention, AttentionKind::cross, 0)
          : map_of(layer.self_attention(), cache.self_attention, AttentionKind::cross, 0);
  const auto size = static_cast<std::size_t>(map.rows) * static_cast<std::size_t>(map.columns);
  Still still{{}, map.rows, map.columns, std::vector<float>(size, 0.0f)};
  for (std::size_t i = 0; i < map.weights.size(); ++i) {
    still.weights[i % size] += map.weights[i] / static_cast<float>(map.heads);
  }
  return still;
}

}  // namespace tp
