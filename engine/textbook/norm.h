#pragma once

#include "engine/textbook/layer.h"

// Layer norm (Ba et al.), over the features of each token x [n, d]:
//
//   mean [n, 1]     inverse_std = 1 / sqrt(mean((x - mean)^2) + eps) [n, 1]
//   normed = (x - mean) inverse_std     output = gamma normed + beta
//
// RMS norm (Zhang and Sennrich) is the same with 0 in the place of the mean, and without beta.

namespace tp::textbook {

template <class T>
Matrix<T> norm(const Layer<T>& layer, const Matrix<T>& x) {
  const Settings& s = layer.pass.settings;
  const T eps = static_cast<T>(s.norm_eps);
  Matrix<T> centred = x;
  if (s.norm_kind == NormKind::layer) {
    layer["mean"] = x.rowwise().mean();
    centred.colwise() -= layer["mean"].col(0);
  }
  const Column<T> inverse = (centred.array().square().rowwise().mean() + eps).sqrt().inverse();
  layer[s.norm_kind == NormKind::layer ? "inverse_std" : "inverse_rms"] = inverse;
  Matrix<T>& normed = layer.input("normed");
  normed = centred.array().colwise() * inverse.array();
  Matrix<T>& output = layer["output"];
  output = normed.array().rowwise() * layer.value("weight").row(0).array();
  if (layer.has("bias")) output.rowwise() += layer.value("bias").row(0);
  return output;
}

// With g = gamma d_y:   d_x = inverse_std (g - mean(g) - normed mean(g normed))
// The mean takes part in every x, hence mean(g); RMS norm has none.
template <class T>
Matrix<T> norm_backward(const Layer<T>& layer, const Matrix<T>& d_y) {
  const bool has_mean = layer.pass.settings.norm_kind == NormKind::layer;
  const Matrix<T>& normed = layer.input("normed");
  layer["d_output"] = d_y;
  layer.gradient("weight") += d_y.cwiseProduct(normed).colwise().sum();
  if (layer.has("bias")) layer.gradient("bias") += d_y.colwise().sum();
  Matrix<T> g = d_y.array().rowwise() * layer.value("weight").row(0).array();
  const Column<T> mean_g = g.rowwise().mean();
  const Column<T> mean_g_normed = g.cwiseProduct(normed).rowwise().mean();
  if (has_mean) g.colwise() -= mean_g;
  g.array() -= normed.array().colwise() * mean_g_normed.array();
  return g.array().colwise() * layer[has_mean ? "inverse_std" : "inverse_rms"].col(0).array();
}

}  // namespace tp::textbook
