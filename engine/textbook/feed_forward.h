#pragma once

#include "engine/textbook/layer.h"

// FFN(x) = max(0, x W_1 + b_1) W_2 + b_2                                             equation (2)
//
// for each token by itself: x [n, d], hidden and activated [n, d_ff]. GELU (Hendrycks and Gimpel)
// is x times the chance that a standard normal number is below x.

namespace tp::textbook {

inline const Linear kFirst{"linear1.weight", "linear1.bias"};
inline const Linear kSecond{"linear2.weight", "linear2.bias"};

template <class T>
T gelu(T x) {
  return x * std::erfc(-x / std::sqrt(T(2))) / 2;
}
template <class T>
T gelu_slope(T x) {
  const T density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi_v<T>);
  return std::erfc(-x / std::sqrt(T(2))) / 2 + x * density;
}

template <class T>
Matrix<T> activate(Activation activation, const Matrix<T>& x) {
  if (activation == Activation::relu) return x.cwiseMax(T(0));
  return x.unaryExpr([](T number) { return gelu(number); });
}
// d activate(x) / dx
template <class T>
Matrix<T> activation_slope(Activation activation, const Matrix<T>& x) {
  return x.unaryExpr([=](T number) {
    return activation == Activation::gelu ? gelu_slope(number) : T(number > 0);
  });
}

template <class T>
Matrix<T> feed_forward(const Layer<T>& layer, const Matrix<T>& x) {
  const Activation f = layer.pass.settings.activation;
  layer.input("x") = x;
  layer["hidden"] = linear(layer, kFirst, x);
  layer["activated"] = layer.drop("activated", activate(f, layer["hidden"]));
  return layer["output"] = layer.drop("output", linear(layer, kSecond, layer["activated"]));
}

template <class T>
Matrix<T> feed_forward_backward(const Layer<T>& layer, const Matrix<T>& d_y) {
  const Activation f = layer.pass.settings.activation;
  // y = dropout(activated W_2^T + b_2)
  layer["d_output"] = layer.drop("output", d_y);
  const Matrix<T> d_dropped =
      linear_backward(layer, kSecond, layer["activated"], layer["d_output"]);
  // activated = dropout(f(hidden))
  layer["d_activated"] = layer.drop("activated", d_dropped);
  layer["d_hidden"] = layer["d_activated"].cwiseProduct(activation_slope(f, layer["hidden"]));
  // hidden = x W_1^T + b_1
  return linear_backward(layer, kFirst, layer.input("x"), layer["d_hidden"]);
}

}  // namespace tp::textbook
