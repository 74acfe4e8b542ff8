#pragma once

#include <Eigen/Core>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <type_traits>

// Matrices, and the softmax of their rows. A row is a token, a column a feature; a vector is a
// matrix of one row.

namespace tp::textbook {

using Eigen::Index;

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using Column = Eigen::Matrix<T, Eigen::Dynamic, 1>;

// A parameter of a function that may be given an expression, such as a * b.
template <class T>
using Given = std::type_identity_t<Matrix<T>>;

// By path or by name.
template <class T>
using Tensors = std::map<std::string, Matrix<T>>;

template <class T>
Matrix<T> exp(const Matrix<T>& x) {
  return x.unaryExpr([](T number) { return std::exp(number); });
}

// softmax(s)[i,j] = exp(s[i,j]) / sum_k exp(s[i,k])
template <class T>
Matrix<T> softmax_without_maximum(const Matrix<T>& scores) {
  const Matrix<T> e = exp(scores);
  const Column<T> sums = e.rowwise().sum();
  return e.array().colwise() / sums.array();
}

// The same number: what is subtracted from a whole row cancels. With its maximum, exp never
// overflows.
template <class T>
Matrix<T> softmax(const Matrix<T>& scores) {
  const Column<T> largest = scores.rowwise().maxCoeff();
  return softmax_without_maximum<T>(scores.colwise() - largest);
}

// w = softmax(s):   dw[i,j] / ds[i,k] = w[i,j] ([j = k] - w[i,k])
template <class T>
Matrix<T> softmax_backward(const Matrix<T>& w, const Matrix<T>& d_w) {
  const Column<T> mean = w.cwiseProduct(d_w).rowwise().sum();
  return w.cwiseProduct(d_w.colwise() - mean);
}

}  // namespace tp::textbook
