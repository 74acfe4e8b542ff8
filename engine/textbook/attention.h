#pragma once

#include <limits>

#include "engine/textbook/layer.h"
#include "engine/textbook/positions.h"

// Multi-head attention, section 3.2. Queries come from x [n, d], keys and values from m [k, d]:
// m = x in self-attention, m = the encoder's output in cross-attention.

namespace tp::textbook {

struct AttentionKind {
  bool self = true;
  bool causal = false;  // a token sees itself and what came before
};

// W_q, W_k and W_v [d, d] are one matrix [3d, d].
inline const Linear kQuery{"in_proj_weight", "in_proj_bias", 0, 3};
inline const Linear kKey{"in_proj_weight", "in_proj_bias", 1, 3};
inline const Linear kValue{"in_proj_weight", "in_proj_bias", 2, 3};
inline const Linear kOutput{"out_proj.weight", "out_proj.bias"};

inline bool sees(const Settings& s, const AttentionKind& kind, Index query, Index key) {
  const Index distance = std::abs(query - key);
  if (kind.causal && key > query) return false;
  if (!kind.self || s.sparsity == Sparsity::full) return true;
  if (s.sparsity == Sparsity::local) return distance <= s.reach;
  return distance < s.reach || distance % s.reach == 0;
}

// [queries, keys]: 0 where a query may look, minus infinity where it must not.
template <class T>
Matrix<T> attention_mask(const Settings& s, const AttentionKind& kind, Index queries, Index keys) {
  return Matrix<T>::NullaryExpr(queries, keys, [&](Index i, Index j) {
    return sees(s, kind, i, j) ? T(0) : -std::numeric_limits<T>::infinity();
  });
}

// The columns of one head.
template <class T>
Matrix<T> split_head(const Matrix<T>& x, int head, int heads) {
  return x.middleCols(head * (x.cols() / heads), x.cols() / heads);
}

// Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V                                  equation (1)
template <class T>
void attend(const Layer<T>& head, const Matrix<T>& mask) {
  const T root = std::sqrt(static_cast<T>(head["key"].cols()));
  head["raw_scores"] = head["query"] * head["key"].transpose();
  head["scores"] = head["raw_scores"] / root + mask;
  head["weights"] = softmax(head["scores"]);
  head["context"] = head.drop("weights", head["weights"]) * head["value"];
  if (head.drops("weights")) head["dropped"] = head.drop("weights", head["weights"]);
}

template <class T>
void attend_backward(const Layer<T>& head) {
  const T root = std::sqrt(static_cast<T>(head["key"].cols()));
  // context = dropout(weights) value
  head["d_value"] = head.drop("weights", head["weights"]).transpose() * head["d_context"];
  head["d_weights"] = head.drop("weights", head["d_context"] * head["value"].transpose());
  // weights = softmax(scores)
  head["d_scores"] = softmax_backward(head["weights"], head["d_weights"]);
  // scores = query key^T / sqrt(d_k)
  head["d_query"] = head["d_scores"] * head["key"] / root;
  head["d_key"] = head["d_scores"].transpose() * head["query"] / root;
}

// MultiHead(x, m) = [head_1 ... head_H] W_o^T + b_o
template <class T>
Matrix<T> attention(const Layer<T>& layer, const AttentionKind& kind, const Matrix<T>& x,
                    const Matrix<T>& m) {
  const Settings& s = layer.pass.settings;
  layer.input("x") = x;
  layer.input("m") = m;
  const Matrix<T> query = linear(layer, kQuery, x);
  const Matrix<T> key = linear(layer, kKey, m), value = linear(layer, kValue, m);
  Matrix<T>& context = layer["context"] = Matrix<T>(x.rows(), x.cols());
  for (int h = 0; h < s.heads; ++h) {
    const Layer<T> head = layer.inner("head." + std::to_string(h));
    head["query"] = split_head(query, h, s.heads);
    head["key"] = split_head(key, h, s.heads);
    head["value"] = split_head(value, h, s.heads);
    Matrix<T> mask = attention_mask<T>(s, kind, x.rows(), m.rows());
    if (kind.self && s.positions == PositionKind::rotary) {
      head["query"] = rotate(head["projected_query"] = head["query"], s.position_base, 1);
      head["key"] = rotate(head["projected_key"] = head["key"], s.position_base, 1);
    }
    if (kind.self && s.positions == PositionKind::alibi) {
      mask += head["position_bias"] = alibi_bias<T>(x.rows(), m.rows(), h, s.heads);
    }
    attend(head, mask);
    context.middleCols(h * head["context"].cols(), head["context"].cols()) = head["context"];
  }
  return layer["output"] = layer.drop("output", linear(layer, kOutput, context));
}

template <class T>
struct AttentionGradients {
  Matrix<T> x, m;
};

template <class T>
AttentionGradients<T> attention_backward(const Layer<T>& layer, const AttentionKind& kind,
                                         const Matrix<T>& d_y) {
  const Settings& s = layer.pass.settings;
  const Matrix<T>&x = layer.input("x"), &m = layer.input("m");
  // y = dropout(context W_o^T + b_o)
  layer["d_output"] = layer.drop("output", d_y);
  layer["d_context"] = linear_backward(layer, kOutput, layer["context"], layer["d_output"]);
  // context = [head_1 ... head_H]
  Matrix<T> d_query(x.rows(), x.cols()), d_key(m.rows(), m.cols()), d_value(m.rows(), m.cols());
  for (int h = 0; h < s.heads; ++h) {
    const Layer<T> head = layer.inner("head." + std::to_string(h));
    head["d_context"] = split_head(layer["d_context"], h, s.heads);
    attend_backward(head);
    Matrix<T> d_head_query = head["d_query"], d_head_key = head["d_key"];
    if (kind.self && s.positions == PositionKind::rotary) {
      d_head_query = head["d_projected_query"] = rotate(d_head_query, s.position_base, -1);
      d_head_key = head["d_projected_key"] = rotate(d_head_key, s.position_base, -1);
    }
    const Index d_head = d_head_key.cols();
    d_query.middleCols(h * d_head, d_head) = d_head_query;
    d_key.middleCols(h * d_head, d_head) = d_head_key;
    d_value.middleCols(h * d_head, d_head) = head["d_value"];
  }
  // query = x W_q^T + b_q     key = m W_k^T + b_k     value = m W_v^T + b_v
  return {linear_backward(layer, kQuery, x, d_query),
          linear_backward(layer, kKey, m, d_key) + linear_backward(layer, kValue, m, d_value)};
}

}  // namespace tp::textbook
