#include <string>

#include "engine/model/decode_source.h"
#include "engine/model/token_scorer.h"

namespace tp {
namespace {

template <class T>
class CachedScorer : public TokenScorer<T> {
 public:
  CachedScorer(const Transformer<T>& model, int max_sequences)
      : model_(model), config_(model.config()), max_sequences_(max_sequences) {}

  // memory [source tokens, d], of which each of the first sequences reads its rows; nothing for a
  // decoder-only model.
  Status begin(ConstMatrix<T> memory, std::span<const typename Block<T>::MemoryRows> rows) {
    lay_out(memory.rows);  // measures
    if (arena_.peak() > kDefaultMemoryLimit) {
      return Error{"keys and values of " + std::to_string(max_sequences_) +
                   " sequences would not fit into memory: lower the beam width."};
    }
    arena_ = Arena(arena_.peak());
    lay_out(memory.rows);
    past_.memory.assign(rows.begin(), rows.end());
    sequences_ = static_cast<int>(rows.size());
    stack().read_memory(memory, past_);
    return Done{};
  }

  void step(std::span<const int> tokens, Matrix<T> logits) override {
    TP_CHECK(std::ssize(tokens) == sequences_, "one token for each sequence");
    TP_CHECK(length() < max_length(), "the sequences are as long as they may be");
    const Matrix<T> x = x_.row_range(0, sequences_);
    for (int s = 0; s < sequences_; ++s) {
      model_.target()->input.embed_one(tokens[s], length(), x.row_range(s, 1));
    }
    model_.head().score(stack().step(arena_, x, past_), logits);
  }

  void reorder(std::span<const int> origins) override {
    TP_CHECK(std::ssize(origins) <= max_sequences_, "more sequences than there is room for");
    stack().reorder(origins, past_);
    sequences_ = static_cast<int>(origins.size());
  }

  int length() const override { return past_.length; }
  int max_length() const override { return config_.max_target_length; }
  int vocabulary() const override { return config_.target_vocabulary; }
  int max_sequences() const override { return max_sequences_; }

 private:
  const Stack<T>& stack() const { return model_.target()->stack; }
  void lay_out(int source_length) {
    arena_.rewind();
    x_ = arena_.matrix<T>(max_sequences_, config_.d_model);
    stack().prepare_past(arena_, max_sequences_, max_length(), source_length, past_);
  }

  const Transformer<T>& model_;
  const ModelConfig& config_;
  const int max_sequences_;
  int sequences_ = 1;
  Arena arena_;
  typename Stack<T>::Past past_;
  Matrix<T> x_;
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
  const typename Block<T>::MemoryRows all{0, memory.rows};
  return cached_scorer_of<T>(model, memory, {&all, 1}, max_sequences);
}

template <class T>
Result<std::unique_ptr<TokenScorer<T>>> cached_scorer_of(
    const Transformer<T>& model, ConstMatrix<T> memory,
    std::span<const typename Block<T>::MemoryRows> rows, int max_sequences) {
  if (Status status = check_decodable(model.config(), max_sequences); !status) {
    return status.error();
  }
  auto scorer = std::make_unique<CachedScorer<T>>(model, max_sequences);
  if (Status status = scorer->begin(memory, rows); !status) return status.error();
  return std::unique_ptr<TokenScorer<T>>(std::move(scorer));
}

template Result<std::unique_ptr<TokenScorer<float>>> cached_scorer_of(
    const Transformer<float>&, ConstMatrix<float>, std::span<const Block<float>::MemoryRows>, int);
template Result<std::unique_ptr<TokenScorer<double>>> cached_scorer_of(
    const Transformer<double>&, ConstMatrix<double>, std::span<const Block<double>::MemoryRows>,
    int);
template Result<std::unique_ptr<TokenScorer<float>>> cached_scorer(const Transformer<float>&,
                                                                   const DecodeSource<float>&, int);
template Result<std::unique_ptr<TokenScorer<double>>> cached_scorer(const Transformer<double>&,
                                                                    const DecodeSource<double>&,
                                                                    int);

}  // namespace tp
