#pragma once

#include <algorithm>
#include <deque>
#include <utility>

#include "engine/core/arena.h"
#include "engine/core/rng.h"
#include "engine/layers/parameter.h"
#include "tests/subjects/subject.h"

namespace tp::test {

// A subject put together from variables and two functions. Its number is a fixed random mixture of
// the entries of y, so every entry of the Jacobian counts.
template <class T>
class Composed : public Subject<T> {
 public:
  explicit Composed(std::uint64_t seed) : rng_(seed) {}

  // A variable with random values around `centre`.
  Parameter<T> variable(const std::string& name, int rows, int columns, double centre = 0,
                        double deviation = 1) {
    blocks_.push_back({name, rows, columns, {}, {}});
    Block& block = blocks_.back();
    for (int i = 0; i < rows * columns; ++i) {
      block.value.push_back(static_cast<T>(centre + deviation * rng_.normal()));
    }
    block.gradient.assign(block.value.size(), T(0));
    return {{block.value.data(), rows, columns}, {block.gradient.data(), rows, columns}};
  }

  // y [rows, columns]. `backward` leaves gradients in the variables, which are zero before.
  void define(int rows, int columns, std::function<void(Matrix<T> y)> forward,
              std::function<void(ConstMatrix<T> d_y)> backward) {
    rows_ = rows, columns_ = columns;
    y_.resize(static_cast<std::size_t>(rows * columns));
    for (std::size_t i = 0; i < y_.size(); ++i) mixture_.push_back(static_cast<T>(rng_.normal()));
    forward_ = std::move(forward);
    backward_ = std::move(backward);
  }

  T forward() override {
    forward_({y_.data(), rows_, columns_});
    T sum = 0;
    for (std::size_t i = 0; i < y_.size(); ++i) sum += mixture_[i] * y_[i];
    return sum;
  }
  void backward() override {
    for (Block& block : blocks_) std::fill(block.gradient.begin(), block.gradient.end(), T(0));
    backward_({mixture_.data(), rows_, columns_});
  }
  std::vector<Variable<T>> variables() override {
    std::vector<Variable<T>> list;
    for (Block& block : blocks_) list.push_back({block.name, block.value, block.gradient});
    return list;
  }
  std::span<const T> output() override { return y_; }

  Rng& rng() { return rng_; }

 private:
  struct Block {
    std::string name;
    int rows, columns;
    std::vector<T> value, gradient;
  };

  Rng rng_;
  std::deque<Block> blocks_;  // never moves what it holds
  int rows_ = 0, columns_ = 0;
  std::vector<T> y_, mixture_;
  std::function<void(Matrix<T>)> forward_;
  std::function<void(ConstMatrix<T>)> backward_;
};

}  // namespace tp::test
