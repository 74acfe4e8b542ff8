#pragma once

#include <string>
#include <utility>

#include "engine/textbook/matrix.h"
#include "engine/textbook/settings.h"

// How layers find their numbers. A layer is two functions: forward leaves each tensor under its
// path, such as encoder.0.self_attn.head.1.weights, and backward reads them there and leaves the
// gradients beside them, as encoder.0.self_attn.head.1.d_weights.

namespace tp::textbook {

// One sequence on its way through the model and back.
template <class T>
struct Pass {
  Pass(const Settings& model, const Tensors<T>& values, Tensors<T>& sums)
      : settings(model), parameters(values), gradients(sums) {}

  const Settings& settings;
  const Tensors<T>& parameters;  // by name
  Tensors<T>& gradients;         // of the loss: backward adds to them
  T answers = 1;                 // of the whole batch: the loss is their mean

  Tensors<T> tensors;  // by path
  Tensors<T> inputs;   // what a layer was given, for its backward
  Tensors<T> masks;    // of dropout, by the path of what is dropped; none: nothing is

  // Tied embeddings are one matrix with several names.
  std::string stored_as(const std::string& name) const {
    const bool generator = name == "generator.weight" && settings.tying != Tying::none;
    const bool source = name == "src_embed.weight" && settings.tying == Tying::all;
    if (!generator && !source) return name;
    return settings.has_decoder() ? "tgt_embed.weight" : "src_embed.weight";
  }
};

// Where a layer stands: the path of its tensors and the name of its parameters.
template <class T>
struct Layer {
  Pass<T>& pass;
  std::string path, name;

  Layer inner(const std::string& part) const { return inner(part, part); }
  Layer inner(const std::string& path_part, const std::string& name_part) const {
    return {pass, path + "." + path_part, name + "." + name_part};
  }

  Matrix<T>& operator[](const std::string& tensor) const {
    return pass.tensors[path + "." + tensor];
  }
  Matrix<T>& input(const std::string& tensor) const { return pass.inputs[path + "." + tensor]; }

  // Biases may be absent.
  bool has(const std::string& parameter) const {
    return pass.parameters.contains(pass.stored_as(name + "." + parameter));
  }
  const Matrix<T>& value(const std::string& parameter) const {
    return pass.parameters.at(pass.stored_as(name + "." + parameter));
  }
  Matrix<T>& gradient(const std::string& parameter) const {
    Matrix<T>& sum = pass.gradients[pass.stored_as(name + "." + parameter)];
    if (sum.size() == 0) sum.setZero(value(parameter).rows(), value(parameter).cols());
    return sum;
  }

  // dropout(x) = x * mask, where a mask is 1 / (1 - p) with probability 1 - p, otherwise 0. The
  // gradient passes through the same mask.
  bool drops(const std::string& tensor) const { return pass.masks.contains(path + "." + tensor); }
  Matrix<T> drop(const std::string& tensor, const Matrix<T>& x) const {
    if (!drops(tensor)) return x;
    return x.cwiseProduct(pass.masks.at(path + "." + tensor));
  }
};

// The names of a weight [outputs, inputs] and its bias [outputs]. Several may be one matrix, on top
// of each other: part 1 of 3 is the second of three.
struct Linear {
  std::string weight, bias;
  Index part = 0, parts = 1;
};

// y = x W^T + b
template <class T>
Matrix<T> linear(const Layer<T>& layer, const Linear& names, const Given<T>& x) {
  const Index outputs = layer.value(names.weight).rows() / names.parts;
  const Index first = names.part * outputs;
  Matrix<T> y = x * layer.value(names.weight).middleRows(first, outputs).transpose();
  if (layer.has(names.bias)) {
    y.rowwise() += layer.value(names.bias).row(0).segment(first, outputs);
  }
  return y;
}

// d_W = d_y^T x     d_b = the sum of the rows of d_y     d_x = d_y W
template <class T>
Matrix<T> linear_backward(const Layer<T>& layer, const Linear& names, const Given<T>& x,
                          const Given<T>& d_y) {
  const Index outputs = d_y.cols(), first = names.part * outputs;
  layer.gradient(names.weight).middleRows(first, outputs) += d_y.transpose() * x;
  if (layer.has(names.bias)) {
    layer.gradient(names.bias).row(0).segment(first, outputs) += d_y.colwise().sum();
  }
  return d_y * layer.value(names.weight).middleRows(first, outputs);
}

}  // namespace tp::textbook
