#pragma once

#include <memory>
#include <span>

#include "engine/model/transformer.h"

// What decoding needs of a model: given the next token of each sequence, the logits of the one
// after it. Two ways to compute them, with the same bits:
//
//   cached     keeps the keys and values of earlier tokens and computes one row a step
//   uncached   runs the whole model on the whole sequences, again and again
//
// They agree because a row of every operation depends on that row of its inputs alone and is summed
// in the same order however many rows stand around it.

namespace tp {

template <class T>
class TokenScorer {
 public:
  virtual ~TokenScorer() = default;

  // Appends tokens[i] to sequence i and fills logits [tokens, vocabulary] with what follows. As
  // many tokens as there are sequences: one at first, later as many as reorder() made.
  virtual void step(std::span<const int> tokens, Matrix<T> logits) = 0;
  // Sequence i becomes a copy of what sequence origins[i] was.
  virtual void reorder(std::span<const int> origins) = 0;

  // Tokens of each sequence so far.
  virtual int length() const = 0;
  virtual int max_length() const = 0;
  virtual int vocabulary() const = 0;
  virtual int max_sequences() const = 0;
};

// What the encoder reads: ids, or patches [tokens, patch_size]. Nothing for a decoder-only model.
template <class T>
struct DecodeSource {
  std::span<const int> ids;
  std::span<const T> patches;
};

// The model must outlive the scorer. An encoder-only model, or a source that does not fit, is
// refused.
template <class T>
Result<std::unique_ptr<TokenScorer<T>>> cached_scorer(const Transformer<T>& model,
                                                      const DecodeSource<T>& source,
                                                      int max_sequences);
// The same of what the encoder made already, `memory` [source tokens, d]: as many sequences to
// begin with as there are `rows`, each of which reads these rows of it.
template <class T>
Result<std::unique_ptr<TokenScorer<T>>> cached_scorer_of(
    const Transformer<T>& model, ConstMatrix<T> memory,
    std::span<const typename Block<T>::MemoryRows> rows, int max_sequences);
template <class T>
Result<std::unique_ptr<TokenScorer<T>>> uncached_scorer(const Transformer<T>& model,
                                                        const DecodeSource<T>& source,
                                                        int max_sequences);

}  // namespace tp
