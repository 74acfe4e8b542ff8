#include "imgui_app/model/shown_positions.h"

#include <algorithm>
#include <cmath>

#include "engine/inspect/path_pattern.h"
#include "engine/layers/positions.h"

namespace tp::ui {
namespace {

// The end of a scale that holds all values: 1, 2 or 5 times a power of ten, so that it seldom
// moves.
float round_limit(std::span<const float> values) {
  float most = 0;
  for (const float value : values) most = std::max(most, std::abs(value));
  for (float power = 1e-3f; power < 1e6f; power *= 10) {
    for (const float factor : {1.0f, 2.0f, 5.0f}) {
      if (most <= factor * power) return factor * power;
    }
  }
  return 1;
}

}  // namespace

std::vector<const WatchedTensor*> learned_positions(const Snapshot& now) {
  std::vector<const WatchedTensor*> tables;
  for (const WatchedTensor& tensor : now.tensors) {
    const bool sound = tensor.rows > 0 && tensor.columns > 0 &&
                       tensor.values.size() == static_cast<std::size_t>(tensor.rows) *
                                                   static_cast<std::size_t>(tensor.columns);
    if (sound && fits_pattern(tensor.path, kPositionPaths)) tables.push_back(&tensor);
  }
  return tables;
}

bool ShownPositions::update(const PositionsSettings& s, const ModelPositions& model) {
  Shape shape{PositionKind::sinusoidal, s.positions, s.d_model, s.base};
  const WatchedTensor* learned = nullptr;
  if (s.source == PositionsSource::kModel && !model.learned.empty()) {
    learned = model.learned[std::min(static_cast<std::size_t>(s.side), model.learned.size() - 1)];
    shape = {PositionKind::learned, learned->rows, learned->columns, 0};
  } else if (s.source == PositionsSource::kModel && model.kind == PositionKind::rotary) {
    shape = {PositionKind::rotary, s.positions, model.d_head, model.base};
  }
  const bool same = shape == shape_;
  if (same && (!learned || values_ == learned->values)) return true;
  shape_ = shape;
  step_ = model.step;
  ++version_;
  if (learned) {
    values_ = learned->values;
    limit_ = round_limit(values_);
  } else {
    values_.resize(static_cast<std::size_t>(shape.positions) * shape.dimensions);
    sinusoidal_positions(values_, shape.positions, shape.dimensions, shape.base);
    limit_ = 1;
  }
  similarity_.resize(static_cast<std::size_t>(shape.positions) * shape.positions);
  position_similarity(values_, similarity_, shape.positions, shape.dimensions);
  return same;
}

double ShownPositions::frequency(int dimension) const {
  return position_frequency(dimension, dimensions(), base());
}

}  // namespace tp::ui
