#pragma once

#include "engine/textbook/attention.h"
#include "engine/textbook/feed_forward.h"
#include "engine/textbook/norm.h"

// Figure 1: blocks of attention and feed-forward nets on top of each other.

namespace tp::textbook {

// Section 3.1, and the order that became usual later:
//
//   post   y = norm(x + f(x))         pre   y = x + f(norm(x))         x, y [n, d]
template <class T, class Sublayer>
Matrix<T> residual(const Layer<T>& block, const std::string& number, const Matrix<T>& x,
                   const Sublayer& f) {
  const Layer<T> its_norm = block.inner("norm" + number);
  Matrix<T>& sum = block["residual" + number];
  if (block.pass.settings.norm == NormPlacement::post) {
    sum = x + f(x);
    return norm(its_norm, sum);
  }
  return sum = x + f(norm(its_norm, x));
}

// f_backward(d_y) gives the gradient of what f was given. A sum hands its gradient to both sides.
template <class T, class SublayerBackward>
Matrix<T> residual_backward(const Layer<T>& block, const std::string& number, const Matrix<T>& d_y,
                            const SublayerBackward& f_backward) {
  const Layer<T> its_norm = block.inner("norm" + number);
  Matrix<T>& d_sum = block["d_residual" + number];
  if (block.pass.settings.norm == NormPlacement::post) {
    d_sum = norm_backward(its_norm, d_y);
    return d_sum + f_backward(d_sum);
  }
  d_sum = d_y;
  return d_sum + norm_backward(its_norm, f_backward(d_sum));
}

// A decoder's blocks are causal; where there is an encoder they also read its output, the memory.
struct Stack {
  std::string name;  // "encoder" or "decoder"
  int layers;
  bool causal, reads_memory;
};

template <class T>
Matrix<T> block(const Layer<T>& layer, const Stack& stack, const Matrix<T>& x,
                const Matrix<T>& memory) {
  using M = Matrix<T>;
  const Layer<T> self = layer.inner("self_attn");
  const Layer<T> cross = layer.inner("cross_attn", "multihead_attn");
  const Layer<T> net{layer.pass, layer.path + ".feed_forward", layer.name};
  M y = residual(layer, "1", x, [&](const M& in) -> M {
    return attention(self, {.self = true, .causal = stack.causal}, in, in);
  });
  if (stack.reads_memory) {
    y = residual(layer, "2", M(y), [&](const M& in) -> M {
      return attention(cross, {.self = false, .causal = false}, in, memory);
    });
  }
  return residual(layer, stack.reads_memory ? "3" : "2", y,
                  [&](const M& in) -> M { return feed_forward(net, in); });
}

// Every block adds what it read of the memory to d_memory.
template <class T>
Matrix<T> block_backward(const Layer<T>& layer, const Stack& stack, Matrix<T> d,
                         Matrix<T>& d_memory) {
  using M = Matrix<T>;
  const Layer<T> self = layer.inner("self_attn");
  const Layer<T> cross = layer.inner("cross_attn", "multihead_attn");
  const Layer<T> net{layer.pass, layer.path + ".feed_forward", layer.name};
  d = residual_backward(layer, stack.reads_memory ? "3" : "2", M(d),
                        [&](const M& d_y) -> M { return feed_forward_backward(net, d_y); });
  if (stack.reads_memory) {
    d = residual_backward(layer, "2", M(d), [&](const M& d_y) -> M {
      const AttentionGradients<T> of =
          attention_backward(cross, {.self = false, .causal = false}, d_y);
      d_memory += of.m;
      return of.x;
    });
  }
  return residual_backward(layer, "1", d, [&](const M& d_y) -> M {
    const AttentionGradients<T> of =
        attention_backward(self, {.self = true, .causal = stack.causal}, d_y);
    return of.x + of.m;
  });
}

template <class T>
Layer<T> block_layer(Pass<T>& pass, const Stack& stack, int i) {
  const std::string number = std::to_string(i);
  return {pass, stack.name + "." + number, stack.name + ".layers." + number};
}

template <class T>
Matrix<T> run_stack(Pass<T>& pass, const Stack& stack, Matrix<T> x, const Matrix<T>& memory) {
  for (int i = 0; i < stack.layers; ++i) {
    x = block(block_layer(pass, stack, i), stack, Matrix<T>(x), memory);
  }
  const std::string last = stack.name + ".norm";
  return pass.settings.final_norm ? norm({pass, last, last}, x) : x;
}

template <class T>
Matrix<T> run_stack_backward(Pass<T>& pass, const Stack& stack, Matrix<T> d, Matrix<T>& d_memory) {
  const std::string last = stack.name + ".norm";
  if (pass.settings.final_norm) d = norm_backward<T>({pass, last, last}, Matrix<T>(d));
  for (int i = stack.layers - 1; i >= 0; --i) {
    d = block_backward(block_layer(pass, stack, i), stack, Matrix<T>(d), d_memory);
  }
  return d;
}

}  // namespace tp::textbook
