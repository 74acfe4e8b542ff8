#include "engine/model/decode.h"

#include <algorithm>
#include <string>

#include "engine/core/maths.h"

namespace tp {
namespace {

// log softmax, in double whatever T is.
template <class T>
std::vector<double> log_probabilities(std::span<const T> logits) {
  const double largest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (T logit : logits) sum += maths::exp(double{logit} - largest);
  const double log_sum = maths::log(sum);
  std::vector<double> result;
  for (T logit : logits) result.push_back((double{logit} - largest) - log_sum);
  return result;
}

template <class T>
Status check_prompt(const TokenScorer<T>& scorer, std::span<const int> prompt,
                    const DecodeLimits& limits) {
  if (prompt.empty()) return Error{"the prompt is empty: begin with at least one token."};
  if (scorer.length() != 0) return Error{"this scorer was used before: make a new one."};
  if (std::ssize(prompt) > scorer.max_length()) {
    return Error{"the prompt has " + std::to_string(prompt.size()) +
                 " tokens but the model's sequences end at " + std::to_string(scorer.max_length()) +
                 ": shorten it."};
  }
  for (int token : prompt) {
    if (token < 0 || token >= scorer.vocabulary()) {
      return Error{"the prompt holds token " + std::to_string(token) +
                   ", which is not in the vocabulary: use ids from 0 to " +
                   std::to_string(scorer.vocabulary() - 1) + "."};
    }
  }
  if (limits.max_new_tokens < 1) return Error{"max_new_tokens must be at least 1: raise it."};
  return Done{};
}

// Feeds the prompt; `logits` then tells what follows it.
template <class T>
void read_prompt(TokenScorer<T>& scorer, std::span<const int> prompt, Matrix<T> logits) {
  for (const int& token : prompt) scorer.step(std::span(&token, 1), logits);
}

// One sequence, each token chosen by choose(logits).
template <class T, class Choose>
Result<Decoded> decode_one(TokenScorer<T>& scorer, std::span<const int> prompt,
                           const DecodeLimits& limits, Choose choose) {
  if (Status status = check_prompt(scorer, prompt, limits); !status) return status.error();
  std::vector<T> memory(static_cast<std::size_t>(scorer.vocabulary()));
  const Matrix<T> logits(memory.data(), 1, scorer.vocabulary());
  read_prompt(scorer, prompt, logits);
  Decoded decoded;
  for (;;) {
    const int token = choose(std::span<const T>(memory));
    decoded.tokens.push_back(token);
    decoded.log_probability += log_probabilities(std::span<const T>(memory))[token];
    decoded.ended = token == limits.end_token;
    const bool full = std::ssize(decoded.tokens) >= limits.max_new_tokens ||
                      scorer.length() >= scorer.max_length();
    if (decoded.ended || full) return decoded;
    scorer.step(std::span(&token, 1), logits);
  }
}

struct Candidate {
  int origin, token;
  double log_probability;
};

}  // namespace

template <class T>
Result<Decoded> decode_greedy(TokenScorer<T>& scorer, std::span<const int> prompt,
                              const DecodeLimits& limits) {
  return decode_one(scorer, prompt, limits, [](std::span<const T> logits) {
    return static_cast<int>(std::max_element(logits.begin(), logits.end()) - logits.begin());
  });
}

template <class T>
std::vector<TokenChance> sampling_distribution(std::span<const T> logits,
                                               const SamplingOptions& options) {
  std::vector<TokenChance> chances;
  const double largest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (std::size_t token = 0; token < logits.size(); ++token) {
    const double chance = maths::exp((double{logits[token]} - largest) / options.temperature);
    chances.push_back({static_cast<int>(token), chance});
    sum += chance;
  }
  std::stable_sort(chances.begin(), chances.end(), [](const TokenChance& a, const TokenChance& b) {
    return a.probability > b.probability;
  });
  std::size_t kept = chances.size();
  if (options.top_k > 0) kept = std::min(kept, static_cast<std::size_t>(options.top_k));
  double together = 0;
  for (std::size_t i = 0; i < kept; ++i) {
    together += chances[i].probability;
    if (together >= options.top_p * sum) kept = i + 1;
  }
  chances.resize(kept);
  for (TokenChance& chance : chances) chance.probability /= together;
  return chances;
}

template <class T>
Result<Decoded> decode_sample(TokenScorer<T>& scorer, std::span<const int> prompt,
                              const DecodeLimits& limits, const SamplingOptions& options,
                              Rng& rng) {
  if (!(options.temperature > 0)) {
    return Error{"the temperature must be above 0: raise it, or decode greedily."};
  }
  if (options.top_k < 0) return Error{"top_k must not be negative: 0 keeps every token."};
  if (!(options.top_p > 0 && options.top_p <= 1)) {
    return Error{"top_p must be above 0 and at most 1: 1 keeps every token."};
  }
  return decode_one(scorer, prompt, limits, [&](std::span<const T> logits) {
    const std::vector<TokenChance> chances = sampling_distribution(logits, options);
    double left = rng.uniform();
    for (const TokenChance& chance : chances) {
      left -= chance.probability;
      if (left < 0) return chance.token;
    }
    return chances.back().token;  // rounding left a crumb
  });
}

template <class T>
Result<std::vector<Decoded>> decode_beam(TokenScorer<T>& scorer, std::span<const int> prompt,
                                         const DecodeLimits& limits, const BeamOptions& options) {
  if (Status status = check_prompt(scorer, prompt, limits); !status) return status.error();
  if (options.width < 1 || options.width > scorer.max_sequences()) {
    return Error{"the beam is " + std::to_string(options.width) + " wide: choose from 1 to " +
                 std::to_string(scorer.max_sequences()) + ", which the scorer has room for."};
  }
  const int vocabulary = scorer.vocabulary();
  std::vector<T> memory(static_cast<std::size_t>(options.width) *
                        static_cast<std::size_t>(vocabulary));
  const Matrix<T> logits(memory.data(), options.width, vocabulary);
  read_prompt(scorer, prompt, logits.row_range(0, 1));

  std::vector<Decoded> live(1), finished;
  while (!live.empty() && std::ssize(finished) < options.width) {
    std::vector<Candidate> candidates;
    for (int i = 0; i < std::ssize(live); ++i) {
      const auto row = log_probabilities(std::span<const T>(logits.row(i), logits.columns));
      for (int token = 0; token < vocabulary; ++token) {
        candidates.push_back({i, token, live[i].log_probability + row[token]});
      }
    }
    // Of the best, those that end are finished and the others live on.
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) {
                       return a.log_probability > b.log_probability;
                     });
    std::vector<Decoded> next;
    std::vector<int> origins, tokens;
    for (const Candidate& candidate : candidates) {
      if (std::ssize(next) + std::ssize(finished) >= options.width) break;
      Decoded longer = live[candidate.origin];
      longer.tokens.push_back(candidate.token);
      longer.log_probability = candidate.log_probability;
      longer.ended = candidate.token == limits.end_token;
      const bool full = std::ssize(longer.tokens) >= limits.max_new_tokens ||
                        scorer.length() >= scorer.max_length();
      if (longer.ended || full) {
        finished.push_back(std::move(longer));
        continue;
      }
      next.push_back(std::move(longer));
      origins.push_back(candidate.origin);
      tokens.push_back(candidate.token);
    }
    live = std::move(next);
    if (live.empty()) break;
    scorer.reorder(origins);
    scorer.step(tokens, logits.row_range(0, static_cast<int>(live.size())));
  }
  const auto score = [&](const Decoded& decoded) {
    return decoded.log_probability /
           maths::pow(static_cast<double>(decoded.tokens.size()), options.length_penalty);
  };
  std::stable_sort(finished.begin(), finished.end(),
                   [&](const Decoded& a, const Decoded& b) { return score(a) > score(b); });
  return finished;
}

template Result<Decoded> decode_greedy(TokenScorer<float>&, std::span<const int>,
                                       const DecodeLimits&);
template Result<Decoded> decode_greedy(TokenScorer<double>&, std::span<const int>,
                                       const DecodeLimits&);
template Result<Decoded> decode_sample(TokenScorer<float>&, std::span<const int>,
                                       const DecodeLimits&, const SamplingOptions&, Rng&);
template Result<Decoded> decode_sample(TokenScorer<double>&, std::span<const int>,
                                       const DecodeLimits&, const SamplingOptions&, Rng&);
template Result<std::vector<Decoded>> decode_beam(TokenScorer<float>&, std::span<const int>,
                                                  const DecodeLimits&, const BeamOptions&);
template Result<std::vector<Decoded>> decode_beam(TokenScorer<double>&, std::span<const int>,
                                                  const DecodeLimits&, const BeamOptions&);
template std::vector<TokenChance> sampling_distribution(std::span<const float>,
                                                        const SamplingOptions&);
template std::vector<TokenChance> sampling_distribution(std::span<const double>,
                                                        const SamplingOptions&);

}  // namespace tp
