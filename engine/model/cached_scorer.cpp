#include <algorithm>
#include <string>

#include "engine/model/decode_source.h"
#include "engine/model/token_scorer.h"

namespace tp {
namespace {

template <class T>
class CachedScorer : public TokenScorer<T> {
 public:
  CachedScorer(const Transformer<T>& model, int max_sequences)
      : model_(model),
        config_(model.config()),
        max_sequences_(max_sequences),
        layers_(static_cast<std::size_t>(config_.decoder_layers)) {}

  // memory [source tokens, d], or nothing for a decoder-only model.
  Status begin(ConstMatrix<T> memory) {
    lay_out(memory.rows);  // measures
    if (arena_.peak() > kDefaultMemoryLimit) {
      return Error{"keys and values of " + std::to_string(max_sequences_) +
                   " sequences would not fit into memory: lower the beam width."};
    }
    arena_ = Arena(arena_.peak());
    lay_out(memory.rows);
    for (std::size_t i = 0; config_.has_encoder() && i < layers_.size(); ++i) {
      model_.decoder().layers()[i].cross_attention().project_memory(memory, layers_[i].memory);
    }
    return Done{};
  }

  void step(std::span<const int> tokens, Matrix<T> logits) override {
    TP_CHECK(std::ssize(tokens) == sequences_, "one token for each sequence");
    TP_CHECK(length_ < max_length(), "the sequences are as long as they may be");
    const Matrix<T> x = shown(x_);
    for (int s = 0; s < sequences_; ++s) {
      model_.target()->embed_one(tokens[s], length_, x.row_range(s, 1));
    }
    ConstMatrix<T> output = x;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      output = config_.has_encoder()
                   ? decoder_layer(model_.decoder().layers()[i], layers_[i], output)
                   : encoder_layer(model_.decoder_alone().layers()[i], layers_[i], output);
    }
    if (config_.final_norm) {
      final_norm().forward(output, shown(normed_), norm_);
      output = shown(normed_);
    }
    typename Linear<T>::Cache unused;
    model_.head().generator().forward(output, logits, unused);
    ++length_;
  }

  void reorder(std::span<const int> origins) override {
    TP_CHECK(std::ssize(origins) <= max_sequences_, "more sequences than there is room for");
    for (Layer& layer : layers_) {
      for (Matrix<T>* past : {&layer.key, &layer.value}) {
        for (std::size_t s = 0; s < origins.size(); ++s) {
          const std::span<T> from = of_sequence(*past, origins[s]).row_range(0, length_).flat();
          std::copy(from.begin(), from.end(), of_sequence(spare_, static_cast<int>(s)).data);
        }
        std::swap(*past, spare_);
      }
    }
    sequences_ = static_cast<int>(origins.size());
  }

  int length() const override { return length_; }
  int max_length() const override { return config_.max_target_length; }
  int vocabulary() const override { return config_.target_vocabulary; }
  int max_sequences() const override { return max_sequences_; }

 private:
  // What a layer keeps of the past, and what it works with in one step.
  struct Layer {
    Matrix<T> key, value;  // [max_sequences * max_length, d]
    Matrix<T> memory;      // [source tokens, 2d]: key and value of cross-attention
    Matrix<T> attended, crossed, output;
  };

  void lay_out(int source_length) {
    const int d = config_.d_model, n = max_sequences_;
    arena_.rewind();
    for (Layer& layer : layers_) {
      layer.key = arena_.matrix<T>(n * max_length(), d);
      layer.value = arena_.matrix<T>(n * max_length(), d);
      layer.memory = arena_.matrix<T>(source_length, 2 * d);
      layer.attended = arena_.matrix<T>(n, d);
      layer.crossed = arena_.matrix<T>(n, d);
      layer.output = arena_.matrix<T>(n, d);
    }
    spare_ = arena_.matrix<T>(n * max_length(), d);
    x_ = arena_.matrix<T>(n, d);
    normed_ = arena_.matrix<T>(n, d);
    projected_ = arena_.matrix<T>(n, 3 * d);
    context_ = arena_.matrix<T>(n, d);
    scores_ = arena_.matrix<T>(1, std::max(max_length(), source_length));
    scratch_ = arena_.used();
    // Sublayers use the rest one after another.
    typename Residual<T>::Cache residual;
    typename FeedForward<T>::Cache feed_forward;
    any_residual().prepare(arena_, n, d, {}, residual);
    any_feed_forward().prepare(arena_, n, {}, feed_forward);
    final_norm().prepare(arena_, n, norm_);
  }

  const Residual<T>& any_residual() const {
    return config_.has_encoder() ? model_.decoder().layers()[0].residual1()
                                 : model_.decoder_alone().layers()[0].residual1();
  }
  const FeedForward<T>& any_feed_forward() const {
    return config_.has_encoder() ? model_.decoder().layers()[0].feed_forward()
                                 : model_.decoder_alone().layers()[0].feed_forward();
  }

  const LayerNorm<T>& final_norm() const {
    return config_.has_encoder() ? model_.decoder().norm() : model_.decoder_alone().norm();
  }

  // The rows of the sequences that exist.
  Matrix<T> shown(Matrix<T> m) const { return m.row_range(0, sequences_); }
  // The past of one sequence.
  Matrix<T> of_sequence(Matrix<T> past, int sequence) const {
    return past.row_range(sequence * max_length(), max_length());
  }

  template <class Sublayer>
  void add_residual(const Residual<T>& residual, ConstMatrix<T> x, Matrix<T> y, Sublayer f) {
    arena_.rewind(scratch_);
    typename Residual<T>::Cache cache;
    residual.prepare(arena_, sequences_, config_.d_model, {}, cache);
    residual.forward(x, {}, y, cache, f);
  }

  void self_attend(const Attention<T>& attention, Layer& layer, ConstMatrix<T> in, Matrix<T> out) {
    const int d = config_.d_model;
    const Matrix<T> projected = shown(projected_);
    attention.project_self(in, projected);
    for (int s = 0; s < sequences_; ++s) {
      const Matrix<T> row = projected.row_range(s, 1);
      attention.rotate_at(row.column_range(0, 2 * d), length_);  // query and key
      const Matrix<T> key = of_sequence(layer.key, s), value = of_sequence(layer.value, s);
      std::copy_n(row.data + d, d, key.row(length_));
      std::copy_n(row.data + 2 * d, d, value.row(length_));
      attention.attend_one(row.column_range(0, d), key.row_range(0, length_ + 1),
                           value.row_range(0, length_ + 1), length_,
                           scores_.column_range(0, length_ + 1), context_.row_range(s, 1));
    }
    attention.project_out(shown(context_), out);
  }

  void cross_attend(const Attention<T>& attention, const Layer& layer, ConstMatrix<T> in,
                    Matrix<T> out) {
    const int d = config_.d_model;
    const Matrix<T> query = shown(projected_).column_range(0, d);
    attention.project_query(in, query);
    for (int s = 0; s < sequences_; ++s) {
      attention.attend_one(query.row_range(s, 1), layer.memory.column_range(0, d),
                           layer.memory.column_range(d, d), length_,
                           scores_.column_range(0, layer.memory.rows), context_.row_range(s, 1));
    }
    attention.project_out(shown(context_), out);
  }

  void feed_forward(const FeedForward<T>& net, ConstMatrix<T> in, Matrix<T> out) {
    typename FeedForward<T>::Cache cache;
    net.prepare(arena_, sequences_, {}, cache);
    net.forward(in, {}, out, cache);
  }

  ConstMatrix<T> encoder_layer(const EncoderLayer<T>& layer, Layer& state, ConstMatrix<T> x) {
    add_residual(layer.residual1(), x, shown(state.attended),
                 [&](ConstMatrix<T> in, Matrix<T> out) {
                   self_attend(layer.self_attention(), state, in, out);
                 });
    add_residual(
        layer.residual2(), shown(state.attended), shown(state.output),
        [&](ConstMatrix<T> in, Matrix<T> out) { feed_forward(layer.feed_forward(), in, out); });
    return shown(state.output);
  }

  ConstMatrix<T> decoder_layer(const DecoderLayer<T>& layer, Layer& state, ConstMatrix<T> x) {
    add_residual(layer.residual1(), x, shown(state.attended),
                 [&](ConstMatrix<T> in, Matrix<T> out) {
                   self_attend(layer.self_attention(), state, in, out);
                 });
    add_residual(layer.residual2(), shown(state.attended), shown(state.crossed),
                 [&](ConstMatrix<T> in, Matrix<T> out) {
                   cross_attend(layer.cross_attention(), state, in, out);
                 });
    add_residual(
        layer.residual3(), shown(state.crossed), shown(state.output),
        [&](ConstMatrix<T> in, Matrix<T> out) { feed_forward(layer.feed_forward(), in, out); });
    return shown(state.output);
  }

  const Transformer<T>& model_;
  const ModelConfig& config_;
  const int max_sequences_;
  int sequences_ = 1;
  int length_ = 0;
  Arena arena_;
  std::size_t scratch_ = 0;  // where the buffers of one sublayer begin
  std::vector<Layer> layers_;
  typename LayerNorm<T>::Cache norm_;
  Matrix<T> spare_, x_, normed_, projected_, context_, scores_;
};

}  // namespace

template <class T>
Result<std::unique_ptr<TokenScorer<T>>> cached_scorer(const Transformer<T>& model,
                                                      const DecodeSource<T>& source,
                                                      int max_sequences) {
  if (Status status = check_decodable(model.config(), max_sequences); !status) {
    return status.error();
  }
  Batch<T> batch;
  if (Status status = pack_source(model.config(), source, 1, batch); !status) return status.error();
  std::unique_ptr<Activations<T>> activations;
  ConstMatrix<T> memory;
  if (model.config().has_encoder()) {
    auto made = model.make_activations({1, batch.source_layout.tokens(), 1});
    if (!made) return made.error();
    activations = std::move(made.value());
    memory = model.encode(batch, {}, *activations);
  }
  return cached_scorer_of(model, memory, max_sequences);
}

template <class T>
Result<std::unique_ptr<TokenScorer<T>>> cached_scorer_of(const Transformer<T>& model,
                                                         ConstMatrix<T> memory, int max_sequences) {
  if (Status status = check_decodable(model.config(), max_sequences); !status) {
    return status.error();
  }
  auto scorer = std::make_unique<CachedScorer<T>>(model, max_sequences);
  if (Status status = scorer->begin(memory); !status) return status.error();
  return std::unique_ptr<TokenScorer<T>>(std::move(scorer));
}

template Result<std::unique_ptr<TokenScorer<float>>> cached_scorer_of(const Transformer<float>&,
                                                                      ConstMatrix<float>, int);
template Result<std::unique_ptr<TokenScorer<double>>> cached_scorer_of(const Transformer<double>&,
                                                                       ConstMatrix<double>, int);
template Result<std::unique_ptr<TokenScorer<float>>> cached_scorer(const Transformer<float>&,
                                                                   const DecodeSource<float>&, int);
template Result<std::unique_ptr<TokenScorer<double>>> cached_scorer(const Transformer<double>&,
                                                                    const DecodeSource<double>&,
                                                                    int);

}  // namespace tp
