#pragma once

#include <algorithm>
#include <vector>

#include "engine/textbook/block.h"
#include "engine/textbook/embedding.h"
#include "engine/textbook/loss.h"

// The whole model, one sequence at a time:
//
//   encoder-decoder   source -> encoder -> memory,   target -> decoder(memory) -> head
//   encoder-only      source -> encoder -> head
//   decoder-only      target -> decoder -> head
//
// Read the chapters in this order: matrix, layer, positions, attention, norm, feed_forward, block,
// embedding, loss, transformer, optimiser.

namespace tp::textbook {

inline Stack encoder(const Settings& s) { return {"encoder", s.encoder_layers, false, false}; }
inline Stack decoder(const Settings& s) {
  return {"decoder", s.decoder_layers, true, s.has_encoder()};
}

inline const Linear kGenerator{"weight", "bias"};

// How many answers one example has.
template <class T>
T count_answers(const Example<T>& example) {
  const auto ignored = std::count(example.labels.begin(), example.labels.end(), kIgnored);
  return static_cast<T>(example.labels.size() - static_cast<std::size_t>(ignored)) +
         static_cast<T>(example.values.size());
}

// x [n, d] to logits: of every token, or of one vector for the whole sequence.
template <class T>
Matrix<T> head(Pass<T>& pass, const Matrix<T>& x) {
  const Settings& s = pass.settings;
  const Layer<T> layer{pass, "head", "generator"};
  layer.input("x") = x;
  if (s.head != HeadKind::tokens) {
    layer["pooled"] = x.row(0);
    if (s.pooling == PoolingKind::mean) layer["pooled"] = x.colwise().mean();
  }
  const Matrix<T>& answered = s.head == HeadKind::tokens ? x : layer["pooled"];
  return layer["logits"] = linear(layer, kGenerator, answered);
}

template <class T>
T loss(Pass<T>& pass, const Example<T>& example) {
  const Settings& s = pass.settings;
  const Layer<T> layer{pass, "head", "generator"};
  const Matrix<T>& logits = layer["logits"];
  if (s.head == HeadKind::regression) {
    return squared_error(logits, layer["targets"] = example.values) / pass.answers;
  }
  layer["probabilities"] = softmax(logits);
  layer["losses"] =
      cross_entropy(logits, smoothed_labels<T>(example.labels, logits.cols(), s.label_smoothing));
  return layer["losses"].sum() / pass.answers;
}

template <class T>
Matrix<T> head_backward(Pass<T>& pass, const Example<T>& example) {
  const Settings& s = pass.settings;
  const Layer<T> layer{pass, "head", "generator"};
  const Matrix<T>&x = layer.input("x"), &logits = layer["logits"];
  // loss = (sum of the losses) / answers
  if (s.head == HeadKind::regression) {
    layer["d_logits"] = squared_error_backward(logits, example.values) / pass.answers;
  } else {
    const auto q = smoothed_labels<T>(example.labels, logits.cols(), s.label_smoothing);
    layer["d_logits"] = cross_entropy_backward(layer["probabilities"], q) / pass.answers;
  }
  // logits = x W^T + b
  if (s.head == HeadKind::tokens) {
    return linear_backward(layer, kGenerator, x, layer["d_logits"]);
  }
  // pooled = mean(x), or the first row of x
  layer["d_pooled"] = linear_backward(layer, kGenerator, layer["pooled"], layer["d_logits"]);
  Matrix<T> d_x = Matrix<T>::Zero(x.rows(), x.cols());
  if (s.pooling == PoolingKind::first) {
    d_x.row(0) = layer["d_pooled"];
  } else {
    d_x.rowwise() += layer["d_pooled"].row(0) / static_cast<T>(x.rows());
  }
  return d_x;
}

// To the logits.
template <class T>
Matrix<T> forward(Pass<T>& pass, const Example<T>& example) {
  const Settings& s = pass.settings;
  Matrix<T> x, memory;
  if (s.has_encoder()) {
    const Layer<T> input{pass, "source", "src_embed"}, tables{pass, "source", "src_pos"};
    x = memory = run_stack(pass, encoder(s), embed(input, tables, example.source, example.patches),
                           Matrix<T>());
  }
  if (s.has_decoder()) {
    const Layer<T> input{pass, "target", "tgt_embed"}, tables{pass, "target", "tgt_pos"};
    x = run_stack(pass, decoder(s), embed(input, tables, example.target, Matrix<T>()), memory);
  }
  return head(pass, x);
}

// The same way back, from the loss: the gradient of every tensor and of every parameter.
template <class T>
void backward(Pass<T>& pass, const Example<T>& example) {
  const Settings& s = pass.settings;
  Matrix<T> d = head_backward(pass, example), nothing;
  if (s.has_decoder()) {
    const Layer<T> input{pass, "target", "tgt_embed"}, tables{pass, "target", "tgt_pos"};
    Matrix<T> d_memory;
    if (s.has_encoder()) {
      const Matrix<T>& read = pass.inputs.at("decoder.0.cross_attn.m");
      d_memory = Matrix<T>::Zero(read.rows(), read.cols());
    }
    const Matrix<T> d_input = run_stack_backward(pass, decoder(s), d, d_memory);
    embed_backward(input, tables, example.target, Matrix<T>(), d_input);
    d = d_memory;
  }
  if (s.has_encoder()) {
    const Layer<T> input{pass, "source", "src_embed"}, tables{pass, "source", "src_pos"};
    const Matrix<T> d_input = run_stack_backward(pass, encoder(s), d, nothing);
    embed_backward(input, tables, example.source, example.patches, d_input);
  }
}

// The loss of one sequence of a batch, and its gradients.
template <class T>
T train_sequence(Pass<T>& pass, const Example<T>& example) {
  forward(pass, example);
  const T its_loss = loss(pass, example);
  backward(pass, example);
  return its_loss;
}

// The mean loss over all answers of a batch is a sum over its sequences, and so are its gradients.
template <class T>
T train_batch(const Settings& settings, const Tensors<T>& parameters,
              const std::vector<Example<T>>& batch, Tensors<T>& gradients) {
  T answers = 0, sum = 0;
  for (const Example<T>& example : batch) answers += count_answers(example);
  for (const Example<T>& example : batch) {
    Pass<T> pass(settings, parameters, gradients);
    pass.answers = answers;
    sum += train_sequence(pass, example);
  }
  return sum;
}

// Compiled once, in transformer.cpp.
extern template float train_sequence(Pass<float>&, const Example<float>&);
extern template double train_sequence(Pass<double>&, const Example<double>&);
extern template float train_batch(const Settings&, const Tensors<float>&,
                                  const std::vector<Example<float>>&, Tensors<float>&);
extern template double train_batch(const Settings&, const Tensors<double>&,
                                   const std::vector<Example<double>>&, Tensors<double>&);

}  // namespace tp::textbook
