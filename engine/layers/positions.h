#pragma once

#include <span>

// Sinusoidal positional encodings (Vaswani et al., section 3.5). For position p and pair i,
//
//   PE(p, 2i)   = sin(p * w_i)
//   PE(p, 2i+1) = cos(p * w_i)        w_i = base^(-2i / d_model)
//
// Each pair is the tip of a clock hand that turns by w_i radians per position: fast in the low
// dimensions, slowly in the high ones.

namespace tp {

// w of the pair that holds `dimension`, in radians per position.
double position_frequency(int dimension, int d_model, double base);

// PE(position, dimension).
double sinusoidal_position(int position, int dimension, int d_model, double base);

// table [positions, d_model], row-major: table[p * d_model + j] = PE(p, j).
void sinusoidal_positions(std::span<float> table, int positions, int d_model, double base);
void sinusoidal_positions(std::span<double> table, int positions, int d_model, double base);

// similarity [positions, positions]: the dot product of every pair of rows of `table`
// [positions, d_model], divided by the product of their lengths (a cosine, -1 to 1).
void position_similarity(std::span<const float> table, std::span<float> similarity, int positions,
                         int d_model);

}  // namespace tp
