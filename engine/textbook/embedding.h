#pragma once

#include <vector>

#include "engine/textbook/layer.h"
#include "engine/textbook/positions.h"

// Where a stack begins, sections 3.4 and 3.5:
//
//   embedded = sqrt(d) E[ids]   or, of patches,   patches W^T + b          [n, d]
//   output   = dropout(embedded + positions)

namespace tp::textbook {

inline const Linear kPatches{"weight", "bias"};

// What a model is given: one sequence, and what it should answer.
template <class T>
struct Example {
  std::vector<int> source;  // ids; empty where there are patches
  Matrix<T> patches;        // [n, patch size]
  std::vector<int> target;  // ids: the answer, shifted by one
  std::vector<int> labels;  // of each target token, or one class; kIgnored: does not count
  Matrix<T> values;         // of a regression, [1, outputs]
};

template <class T>
T embedding_scale(const Layer<T>& layer) {
  const T d = static_cast<T>(layer.value("weight").cols());
  return layer.pass.settings.scale_embedding ? std::sqrt(d) : T(1);
}

// `tables` has the learned positions.
template <class T>
Matrix<T> embed(const Layer<T>& layer, const Layer<T>& tables, const std::vector<int>& ids,
                const Matrix<T>& patches) {
  const Settings& s = layer.pass.settings;
  Matrix<T>& embedded = layer["embedded"];
  if (ids.empty()) {
    embedded = linear(layer, kPatches, layer["patches"] = patches);
  } else {
    embedded = embedding_scale(layer) * layer.value("weight")(ids, Eigen::all);
  }
  const Index n = embedded.rows(), d = embedded.cols();
  Matrix<T> sum = embedded;
  if (s.positions == PositionKind::sinusoidal) {
    sum += layer["positions"] = sinusoidal_positions<T>(n, d, s.position_base);
  } else if (s.positions == PositionKind::learned) {
    sum += layer["positions"] = tables.value("weight").topRows(n);
  }
  return layer["output"] = layer.drop("output", sum);
}

template <class T>
void embed_backward(const Layer<T>& layer, const Layer<T>& tables, const std::vector<int>& ids,
                    const Matrix<T>& patches, const Matrix<T>& d_output) {
  layer["d_output"] = d_output;
  // output = dropout(embedded + positions)
  const Matrix<T>& d_embedded = layer["d_embedded"] = layer.drop("output", d_output);
  if (layer.pass.settings.positions == PositionKind::learned) {
    tables.gradient("weight").topRows(d_embedded.rows()) += d_embedded;
  }
  // embedded = patches W^T + b
  if (ids.empty()) layer["d_patches"] = linear_backward(layer, kPatches, patches, d_embedded);
  // embedded[i] = sqrt(d) E[ids[i]]: a row of E is used wherever its token stands
  for (std::size_t i = 0; i < ids.size(); ++i) {
    layer.gradient("weight").row(ids[i]) +=
        embedding_scale(layer) * d_embedded.row(static_cast<Index>(i));
  }
}

}  // namespace tp::textbook
