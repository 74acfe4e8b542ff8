#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/rng.h"
#include "engine/model/token_scorer.h"

// Ways to turn next-token logits into a sequence. Each begins with a prompt (for an
// encoder-decoder, the begin token alone) and stops after `end_token`, after `max_new_tokens`, or
// where the model's sequences end.

namespace tp {

struct DecodeLimits {
  int end_token = -1;  // -1: there is none
  int max_new_tokens = 64;
};

struct Decoded {
  std::vector<int> tokens;     // what was generated, the end token included
  double log_probability = 0;  // of these tokens under the model
  bool ended = false;          // by the end token
};

// The likeliest token at each step; of equals the lowest.
template <class T>
Result<Decoded> decode_greedy(TokenScorer<T>& scorer, std::span<const int> prompt,
                              const DecodeLimits& limits);

// Draws each token from softmax(logits / temperature), cut down to the top_k likeliest tokens and
// to the fewest that together have probability top_p.
struct SamplingOptions {
  double temperature = 1;
  int top_k = 0;     // 0: no cut
  double top_p = 1;  // 1: no cut
};
template <class T>
Result<Decoded> decode_sample(TokenScorer<T>& scorer, std::span<const int> prompt,
                              const DecodeLimits& limits, const SamplingOptions& options, Rng& rng);

// Follows the `width` likeliest sequences at once. Results are sorted by log_probability divided by
// length^length_penalty, best first; 0 compares plain probabilities, which favour short answers.
struct BeamOptions {
  int width = 4;
  double length_penalty = 0.6;
};
template <class T>
Result<std::vector<Decoded>> decode_beam(TokenScorer<T>& scorer, std::span<const int> prompt,
                                         const DecodeLimits& limits, const BeamOptions& options);

// The distribution that decode_sample draws from: tokens that are left, likeliest first. For
// display as well.
struct TokenChance {
  int token;
  double probability;
};
template <class T>
std::vector<TokenChance> sampling_distribution(std::span<const T> logits,
                                               const SamplingOptions& options);

}  // namespace tp
