#include "engine/inspect/lens.h"

#include <algorithm>

#include "engine/core/maths.h"

namespace tp {
namespace {

// The side that the head reads.
template <class T>
const Side<T>& last_side(const Transformer<T>& model) {
  return model.target() ? *model.target() : *model.source();
}

// softmax(logits) is exp(logit - shift) / sum.
template <class T>
struct Softmax {
  explicit Softmax(std::span<const T> logits)
      : shift(static_cast<double>(*std::ranges::max_element(logits))) {
    for (const T logit : logits) sum += above(logit);
  }
  double above(T logit) const { return maths::exp(static_cast<double>(logit) - shift); }
  double operator()(T logit) const { return above(logit) / sum; }

  double shift, sum = 0;
};

}  // namespace

template <class T>
int lens_layers(const Transformer<T>& model) {
  return last_side(model).stack.depth() + 1;
}

template <class T>
int lens_positions(const Transformer<T>& model, const Batch<T>& batch, int sequence) {
  const ModelConfig& config = model.config();
  return config.head == HeadKind::tokens ? batch.head_layout(config).length(sequence) : 1;
}

template <class T>
void lens_layer(const Transformer<T>& model, const Activations<T>& activations,
                const Batch<T>& batch, int sequence, int layer, Matrix<T> logits) {
  const SequenceLayout& layout = batch.head_layout(model.config());
  TP_CHECK(sequence >= 0 && sequence < layout.sequences(), "no such sequence in the batch");
  TP_CHECK(layer >= 0 && layer < lens_layers(model), "no such layer in the stack");
  const auto& cache = model.target() ? activations.target : activations.source;
  const Matrix<T> stream = layer == 0 ? cache.input.output : cache.stack.layers[layer - 1].output;
  ConstMatrix<T> x = stream.row_range(layout.begin(sequence), layout.length(sequence));

  const std::optional<Norm<T>>& norm = last_side(model).stack.norm();
  const auto lay_out = [&](Arena& arena, typename Norm<T>::Cache& normed) {
    if (norm) norm->prepare(arena, x.rows, normed);
    return arena.matrix<T>(x.rows, x.columns);
  };
  Arena measure;
  typename Norm<T>::Cache norm_cache;
  lay_out(measure, norm_cache);
  Arena arena(measure.used());
  const Matrix<T> normed = lay_out(arena, norm_cache);
  if (norm) {
    norm->forward(x, normed, norm_cache);
    x = normed;
  }

  SequenceLayout alone;
  alone.assign_equal(1, x.rows);
  std::vector<T> pooled(static_cast<std::size_t>(x.columns));
  typename Head<T>::Cache head;
  head.pooled = Matrix<T>(pooled.data(), 1, x.columns);
  head.logits = logits;
  model.head().forward(x, alone, head);
}

template <class T>
Lens<T> lens(const Transformer<T>& model, const Activations<T>& activations, const Batch<T>& batch,
             int sequence) {
  Lens<T> lens{lens_layers(model),
               lens_positions(model, batch, sequence),
               model.config().head_outputs(),
               {}};
  const int rows = lens.layers * lens.positions;
  lens.logits.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(lens.outputs));
  const Matrix<T> logits(lens.logits.data(), rows, lens.outputs);
  for (int i = 0; i < lens.layers; ++i) {
    lens_layer(model, activations, batch, sequence, i,
               logits.row_range(i * lens.positions, lens.positions));
  }
  return lens;
}

template <class T>
std::vector<LikelyOutput> likeliest(std::span<const T> logits, int count) {
  const Softmax<T> softmax(logits);
  std::vector<LikelyOutput> list;  // the best so far, the likeliest first
  for (int i = 0; i < std::ssize(logits); ++i) {
    auto place = list.end();
    while (place != list.begin() && logits[std::prev(place)->output] < logits[i]) --place;
    if (place - list.begin() >= count) continue;
    list.insert(place, {i, softmax(logits[i])});
    if (std::ssize(list) > count) list.pop_back();
  }
  return list;
}

template <class T>
double probability_of(std::span<const T> logits, int output) {
  return Softmax<T>(logits)(logits[output]);
}

template int lens_layers(const Transformer<float>&);
template int lens_layers(const Transformer<double>&);
template int lens_positions(const Transformer<float>&, const Batch<float>&, int);
template int lens_positions(const Transformer<double>&, const Batch<double>&, int);
template void lens_layer(const Transformer<float>&, const Activations<float>&, const Batch<float>&,
                         int, int, Matrix<float>);
template void lens_layer(const Transformer<double>&, const Activations<double>&,
                         const Batch<double>&, int, int, Matrix<double>);
template Lens<float> lens(const Transformer<float>&, const Activations<float>&, const Batch<float>&,
                          int);
template Lens<double> lens(const Transformer<double>&, const Activations<double>&,
                           const Batch<double>&, int);
template std::vector<LikelyOutput> likeliest(std::span<const float>, int);
template std::vector<LikelyOutput> likeliest(std::span<const double>, int);
template double probability_of(std::span<const float>, int);
template double probability_of(std::span<const double>, int);

}  // namespace tp
