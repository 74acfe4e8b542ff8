#include "engine/inspect/importance.h"

#include <algorithm>

namespace tp {
namespace {

// Is the input of this side patches?
template <class T>
bool reads_patches(const Transformer<T>& model, InputSide side) {
  return side == InputSide::source && model.config().input == InputKind::patches;
}

template <class T>
const SequenceLayout& layout_of(const Batch<T>& batch, InputSide side) {
  return side == InputSide::source ? batch.source_layout : batch.target_layout;
}

template <class T>
void forward_from(const Transformer<T>& model, int stage, const Batch<T>& batch,
                  Activations<T>& activations) {
  for (; stage < model.stages(); ++stage) model.forward_stage(stage, batch, {}, activations);
}

}  // namespace

template <class T>
int input_count(const Transformer<T>& model, const Batch<T>& batch, int sequence, InputSide side) {
  const ModelConfig& config = model.config();
  const bool there = side == InputSide::source ? config.has_encoder() : config.has_decoder();
  return there ? layout_of(batch, side).length(sequence) : 0;
}

template <class T>
std::vector<T> estimated_rises(const Transformer<T>& model, const Activations<T>& activations,
                               const Batch<T>& batch, int sequence, InputSide side) {
  const int count = input_count(model, batch, sequence, side);
  std::vector<T> rises(static_cast<std::size_t>(count));
  if (count == 0) return rises;
  const auto& input =
      side == InputSide::source ? activations.source.input : activations.target.input;
  ConstMatrix<T> x = input.embedded, d_x = input.d_embedded;
  if (reads_patches(model, side)) {
    d_x = input.d_patches;
    x = ConstMatrix<T>(batch.source_patches.data(), d_x.rows, d_x.columns);
  }
  const int first = layout_of(batch, side).begin(sequence);
  for (int i = 0; i < count; ++i) {
    T sum = 0;
    for (int j = 0; j < x.columns; ++j) sum += d_x(first + i, j) * x(first + i, j);
    rises[i] = -sum;
  }
  return rises;
}

template <class T>
T measured_rise(const Transformer<T>& model, const Batch<T>& batch, int sequence, InputSide side,
                int index, T loss, Activations<T>& activations) {
  TP_CHECK(index >= 0 && index < input_count(model, batch, sequence, side), "no such input");
  const int row = layout_of(batch, side).begin(sequence) + index;
  if (reads_patches(model, side)) {
    Batch<T> without = batch;
    const int size = model.config().patch_size;
    std::fill_n(without.source_patches.begin() + std::ptrdiff_t{row} * size, size, T(0));
    forward_from(model, 0, without, activations);
    return model.loss(without, activations) - loss;
  }
  // After the first stage both sides are embedded, and nothing has read them.
  model.forward_stage(0, batch, {}, activations);
  const auto& input =
      side == InputSide::source ? activations.source.input : activations.target.input;
  T* const output = input.output.row(row);
  if (input.positions.columns > 0) {
    std::copy_n(input.positions.row(row), input.output.columns, output);
  } else {
    std::fill_n(output, input.output.columns, T(0));
  }
  forward_from(model, 1, batch, activations);
  return model.loss(batch, activations) - loss;
}

template int input_count(const Transformer<float>&, const Batch<float>&, int, InputSide);
template int input_count(const Transformer<double>&, const Batch<double>&, int, InputSide);
template std::vector<float> estimated_rises(const Transformer<float>&, const Activations<float>&,
                                            const Batch<float>&, int, InputSide);
template std::vector<double> estimated_rises(const Transformer<double>&, const Activations<double>&,
                                             const Batch<double>&, int, InputSide);
template float measured_rise(const Transformer<float>&, const Batch<float>&, int, InputSide, int,
                             float, Activations<float>&);
template double measured_rise(const Transformer<double>&, const Batch<double>&, int, InputSide, int,
                              double, Activations<double>&);

}  // namespace tp
