#include "engine/layers/positions.h"

#include <vector>

#include "engine/core/check.h"
#include "engine/core/maths.h"

namespace tp {

double position_frequency(int dimension, int d_model, double base) {
  const int even = dimension - dimension % 2;
  return maths::pow(base, -static_cast<double>(even) / d_model);
}

double sinusoidal_position(int position, int dimension, int d_model, double base) {
  const double angle = position * position_frequency(dimension, d_model, base);
  return dimension % 2 == 0 ? maths::sin(angle) : maths::cos(angle);
}

namespace {

template <class T>
void fill_sinusoidal(std::span<T> table, int positions, int d_model, double base) {
  TP_CHECK(std::ssize(table) == std::ptrdiff_t{positions} * d_model,
           "the table of positions must hold [positions, d_model]");
  for (int j = 0; j < d_model; ++j) {
    const double frequency = position_frequency(j, d_model, base);
    for (int p = 0; p < positions; ++p) {
      const double angle = p * frequency;
      table[p * d_model + j] = static_cast<T>(j % 2 == 0 ? maths::sin(angle) : maths::cos(angle));
    }
  }
}

}  // namespace

void sinusoidal_positions(std::span<float> table, int positions, int d_model, double base) {
  fill_sinusoidal(table, positions, d_model, base);
}
void sinusoidal_positions(std::span<double> table, int positions, int d_model, double base) {
  fill_sinusoidal(table, positions, d_model, base);
}

void position_similarity(std::span<const float> table, std::span<float> similarity, int positions,
                         int d_model) {
  TP_CHECK(std::ssize(table) == std::ptrdiff_t{positions} * d_model,
           "the table of positions must hold [positions, d_model]");
  TP_CHECK(std::ssize(similarity) == std::ptrdiff_t{positions} * positions,
           "the similarity must hold [positions, positions]");
  const auto dot = [&](int p, int q) {
    double sum = 0;
    for (int j = 0; j < d_model; ++j) {
      sum += double{table[p * d_model + j]} * double{table[q * d_model + j]};
    }
    return sum;
  };
  std::vector<double> length(positions);
  for (int p = 0; p < positions; ++p) length[p] = maths::sqrt(dot(p, p));
  for (int p = 0; p < positions; ++p) {
    for (int q = 0; q <= p; ++q) {
      const double lengths = length[p] * length[q];
      const auto cosine = static_cast<float>(lengths > 0 ? dot(p, q) / lengths : 0);
      similarity[p * positions + q] = similarity[q * positions + p] = cosine;
    }
  }
}

}  // namespace tp
