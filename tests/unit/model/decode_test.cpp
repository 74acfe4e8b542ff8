#include "engine/model/decode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

namespace tp {
namespace {

ModelConfig small(Architecture architecture) {
  ModelConfig config;
  config.architecture = architecture;
  config.d_model = 12;
  config.heads = 3;
  config.d_ff = 20;
  config.source_vocabulary = 7;
  config.target_vocabulary = 9;
  config.max_source_length = 6;
  config.max_target_length = 11;
  return config;
}

struct Variant {
  const char* name;
  ModelConfig config;
};

std::vector<Variant> variants() {
  std::vector<Variant> list;
  const auto add = [&](const char* name, Architecture architecture, auto change) {
    list.push_back({name, small(architecture)});
    change(list.back().config);
  };
  using enum Architecture;
  add("pre", encoder_decoder, [](ModelConfig&) {});
  add("post_learned", encoder_decoder, [](ModelConfig& c) {
    c.norm = NormPlacement::post;
    c.positions = PositionKind::learned;
    c.activation = Activation::gelu;
  });
  add("rotary_tied_no_biases", encoder_decoder, [](ModelConfig& c) {
    c.positions = PositionKind::rotary;
    c.source_vocabulary = c.target_vocabulary;
    c.tying = Tying::all;
    c.biases = false;
  });
  add("alone", decoder_only, [](ModelConfig& c) { c.final_norm = false; });
  add("alone_rotary", decoder_only, [](ModelConfig& c) { c.positions = PositionKind::rotary; });
  add("rms_alibi", encoder_decoder, [](ModelConfig& c) {
    c.norm_kind = NormKind::rms;
    c.positions = PositionKind::alibi;
  });
  add("alone_rms_alibi_local", decoder_only, [](ModelConfig& c) {
    c.norm_kind = NormKind::rms;
    c.positions = PositionKind::alibi;
    c.sparsity = Sparsity::local;
    c.reach = 3;
  });
  add("alone_local", decoder_only, [](ModelConfig& c) {
    c.sparsity = Sparsity::local;
    c.reach = 3;
    c.positions = PositionKind::none;
  });
  add("alone_strided_post", decoder_only, [](ModelConfig& c) {
    c.sparsity = Sparsity::strided;
    c.reach = 2;
    c.norm = NormPlacement::post;
  });
  return list;
}

std::unique_ptr<Transformer<float>> make_model(const ModelConfig& config, std::uint64_t seed) {
  auto model = Transformer<float>::create(config);
  EXPECT_TRUE(model.ok()) << model.error().message;
  model.value()->parameters().initialise(seed);
  // Sharpen the output, so that decoding has something to choose.
  for (float& w : model.value()->parameters().get("generator.weight").value.flat()) w *= 3;
  return std::move(model.value());
}

class Decoding : public testing::TestWithParam<Variant> {
 protected:
  const std::vector<int> source_ = {3, 1, 4, 1, 5};
  DecodeSource<float> source() const { return {source_, {}}; }

  std::unique_ptr<TokenScorer<float>> scorer(const Transformer<float>& model, bool cached, int n) {
    auto made = cached ? cached_scorer(model, source(), n) : uncached_scorer(model, source(), n);
    EXPECT_TRUE(made.ok()) << made.error().message;
    return std::move(made.value());
  }
};

TEST_P(Decoding, CachedAndUncachedLogitsAgreeBitForBit) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto model = make_model(GetParam().config, seed);
    const int n = 3, vocabulary = 9;
    const auto cached = scorer(*model, true, n), uncached = scorer(*model, false, n);
    Rng rng(seed);
    int sequences = 1;
    for (int length = 0; length < cached->max_length(); ++length) {
      std::vector<int> tokens, origins;
      for (int s = 0; s < sequences; ++s) tokens.push_back(static_cast<int>(rng.below(9)));
      std::vector<float> a(static_cast<std::size_t>(n * vocabulary)), b(a.size());
      cached->step(tokens, {a.data(), sequences, vocabulary});
      uncached->step(tokens, {b.data(), sequences, vocabulary});
      ASSERT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(float)), 0)
          << "seed " << seed << ", length " << length;
      // Now and then the sequences change places, as in a beam.
      const int next = 1 + static_cast<int>(rng.below(n));
      for (int s = 0; s < next; ++s) {
        origins.push_back(static_cast<int>(rng.below(static_cast<std::uint32_t>(sequences))));
      }
      cached->reorder(origins);
      uncached->reorder(origins);
      sequences = next;
    }
  }
}

TEST_P(Decoding, EveryStrategyGivesTheSameWithAndWithoutTheCache) {
  const std::vector<int> prompt = {1};
  const DecodeLimits limits{2, 8};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto model = make_model(GetParam().config, seed);
    std::vector<std::vector<int>> sequences[2];
    for (bool cached : {false, true}) {
      auto& results = sequences[cached];
      results.push_back(decode_greedy(*scorer(*model, cached, 1), prompt, limits).value().tokens);
      Rng rng(seed);
      results.push_back(
          decode_sample(*scorer(*model, cached, 1), prompt, limits, {0.8, 5, 0.9}, rng)
              .value()
              .tokens);
      const auto beam = decode_beam(*scorer(*model, cached, 4), prompt, limits, {4, 0.6});
      for (const Decoded& decoded : beam.value()) results.push_back(decoded.tokens);
    }
    EXPECT_EQ(sequences[0], sequences[1]);
    EXPECT_EQ(sequences[0].size(), 2u + 4u);
  }
}

TEST_P(Decoding, ABeamOfOneIsGreedyAndSoIsTopOne) {
  const DecodeLimits limits{2, 8};
  const auto model = make_model(GetParam().config, 3);
  const std::vector<int> prompt = {1, 4};
  const Decoded greedy = decode_greedy(*scorer(*model, true, 1), prompt, limits).value();
  const auto beam = decode_beam(*scorer(*model, true, 1), prompt, limits, {1, 0}).value();
  ASSERT_EQ(beam.size(), 1u);
  EXPECT_EQ(beam[0].tokens, greedy.tokens);
  EXPECT_NEAR(beam[0].log_probability, greedy.log_probability, 1e-12);
  Rng rng(1);
  EXPECT_EQ(decode_sample(*scorer(*model, true, 1), prompt, limits, {1, 1, 1}, rng).value().tokens,
            greedy.tokens);
}

// A beam as wide as there are sequences misses none: it must find what trying all of them finds.
TEST_P(Decoding, AWideBeamFindsTheLikeliestSequence) {
  const auto model = make_model(GetParam().config, 2);
  const int vocabulary = 9, steps = 3;
  const std::vector<int> prompt = {1};
  Decoded best;
  best.log_probability = -1e300;
  std::vector<int> tokens(steps);
  for (int code = 0; code < vocabulary * vocabulary * vocabulary; ++code) {
    tokens = {code / 81, code / 9 % 9, code % 9};
    const auto one = scorer(*model, true, 1);
    std::vector<float> logits(vocabulary);
    const Matrix<float> row(logits.data(), 1, vocabulary);
    one->step(prompt, row);
    double log_probability = 0;
    for (int token : tokens) {
      double sum = 0;
      for (float logit : logits) sum += std::exp(double{logit});
      log_probability += double{logits[token]} - std::log(sum);
      one->step(std::span(&token, 1), row);
    }
    if (log_probability > best.log_probability) best = {tokens, log_probability, false};
  }
  const DecodeLimits limits{-1, steps};
  const auto beam = decode_beam(*scorer(*model, true, 81), prompt, limits, {81, 0}).value();
  EXPECT_EQ(beam[0].tokens, best.tokens);
  EXPECT_NEAR(beam[0].log_probability, best.log_probability, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Models, Decoding, testing::ValuesIn(variants()),
                         [](const auto& variant) { return std::string(variant.param.name); });

TEST(Sampling, CutsWhatItIsToldToCut) {
  const std::vector<double> logits = {std::log(0.1), std::log(0.4), std::log(0.2), std::log(0.3)};
  const std::span<const double> all(logits);
  const auto plain = sampling_distribution(all, {1, 0, 1});
  ASSERT_EQ(plain.size(), 4u);
  EXPECT_EQ(plain[0].token, 1);
  EXPECT_NEAR(plain[0].probability, 0.4, 1e-12);
  const auto top_two = sampling_distribution(all, {1, 2, 1});
  ASSERT_EQ(top_two.size(), 2u);
  EXPECT_NEAR(top_two[1].probability, 0.3 / 0.7, 1e-12);
  const auto nucleus = sampling_distribution(all, {1, 0, 0.75});  // 0.4 + 0.3 is not enough
  ASSERT_EQ(nucleus.size(), 3u);
  EXPECT_NEAR(nucleus[2].probability, 0.2 / 0.9, 1e-12);
  const auto cold = sampling_distribution(all, {0.5, 0, 1});  // squares the odds
  EXPECT_NEAR(cold[0].probability, 0.16 / 0.30, 1e-12);
}

TEST(Sampling, DrawsAsOftenAsTheModelSays) {
  const auto model = make_model(small(Architecture::decoder_only), 4);
  const std::vector<int> prompt = {1};
  std::vector<int> counts(9);
  std::vector<float> logits(9);
  Rng rng(5);
  const int draws = 2000;
  for (int i = 0; i < draws; ++i) {
    auto scorer = cached_scorer<float>(*model, {}, 1);
    const auto decoded = decode_sample(*scorer.value(), prompt, {-1, 1}, {}, rng);
    ++counts[decoded.value().tokens[0]];
  }
  auto scorer = cached_scorer<float>(*model, {}, 1);
  scorer.value()->step(prompt, {logits.data(), 1, 9});
  for (const TokenChance& chance : sampling_distribution(std::span<const float>(logits), {})) {
    const double deviation = std::sqrt(chance.probability * (1 - chance.probability) / draws);
    EXPECT_NEAR(counts[chance.token] / double(draws), chance.probability, 5 * deviation + 1e-12);
  }
}

TEST(DecodingErrors, SayWhatToChange) {
  const auto model = make_model(small(Architecture::encoder_decoder), 1);
  const std::vector<int> source = {1, 2}, prompt = {1}, bad = {99}, none;
  const std::vector<int> too_long(7, 1), too_long_prompt(12, 1);
  const auto refused = [](const auto& result, const char* words) {
    ASSERT_FALSE(result.ok());
    EXPECT_NE(result.error().message.find(words), std::string::npos) << result.error().message;
  };
  refused(cached_scorer<float>(*model, {bad, {}}, 1), "vocabulary");
  refused(cached_scorer<float>(*model, {too_long, {}}, 1), "shorten");
  refused(cached_scorer<float>(*model, {none, {}}, 1), "width");
  for (int sequences : {-1, 0, 1025}) {
    refused(cached_scorer<float>(*model, {source, {}}, sequences), "beam width");
    refused(uncached_scorer<float>(*model, {source, {}}, sequences), "beam width");
  }
  const auto fresh = [&] {
    return std::move(cached_scorer<float>(*model, {source, {}}, 2).value());
  };
  refused(decode_greedy(*fresh(), none, {}), "begin with");
  refused(decode_greedy(*fresh(), bad, {}), "vocabulary");
  refused(decode_greedy(*fresh(), too_long_prompt, {}), "shorten");
  refused(decode_greedy(*fresh(), prompt, {2, 0}), "max_new_tokens");
  refused(decode_beam(*fresh(), prompt, {}, {3, 0}), "from 1 to 2");
  Rng rng(1);
  refused(decode_sample(*fresh(), prompt, {}, {0, 0, 1}, rng), "temperature");
  refused(decode_sample(*fresh(), prompt, {}, {1, -1, 1}, rng), "top_k");
  refused(decode_sample(*fresh(), prompt, {}, {1, 0, 0}, rng), "top_p");
  ModelConfig encoder = small(Architecture::encoder_only);
  refused(cached_scorer<float>(*make_model(encoder, 1), {source, {}}, 1), "does not generate");
}

// A prompt that fills the whole sequence still gets one answer, and nothing runs past the end.
TEST(DecodingLimits, StopsWhereTheSequenceEnds) {
  const auto model = make_model(small(Architecture::decoder_only), 1);
  const std::vector<int> full(11, 1), nearly(10, 1);
  for (bool cached : {false, true}) {
    const auto fresh = [&](int n) {
      auto made =
          cached ? cached_scorer<float>(*model, {}, n) : uncached_scorer<float>(*model, {}, n);
      return std::move(made.value());
    };
    EXPECT_EQ(decode_greedy(*fresh(1), full, {-1, 5}).value().tokens.size(), 1u);
    EXPECT_EQ(decode_greedy(*fresh(1), nearly, {-1, 5}).value().tokens.size(), 2u);
    const auto beam = decode_beam(*fresh(3), nearly, {-1, 5}, {3, 1});
    for (const Decoded& d : beam.value()) {
      EXPECT_EQ(d.tokens.size(), 2u);
      EXPECT_FALSE(d.ended);
    }
  }
}

}  // namespace
}  // namespace tp
