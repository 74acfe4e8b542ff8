#include "engine/inspect/trace.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "tests/subjects/random_batch.h"

namespace tp::test {
namespace {

struct Traced {
  std::unique_ptr<Transformer<float>> model;
  std::unique_ptr<Activations<float>> activations;
  Batch<float> batch;
  std::vector<TracedTensor<float>> tensors;
  std::map<std::string, const TracedTensor<float>*> by_path;

  Traced(const ModelConfig& config, std::vector<int> source, std::vector<int> target,
         int sequence) {
    model = std::move(Transformer<float>::create(config).value());
    model->parameters().initialise(1);
    Rng rng(1);
    for (float& value : model->parameters().values()) {
      value += static_cast<float>(0.1 * rng.normal());
    }
    const RandomBatch<float> random(config, std::move(source), std::move(target), rng);
    const Status packed = pack(config, random.padded(config), batch);
    TP_CHECK(packed.ok(), packed.error().message.c_str());
    activations = std::move(model->make_activations({4, 8, 8}, GradientMemory::kept).value());
    model->forward(batch, model->training_run(1, 1), *activations);
    model->loss(batch, *activations);
    model->backward(*activations);
    tensors = trace(*model, *activations, batch, sequence, TraceParts::forward_and_backward);
    for (const auto& tensor : tensors) by_path[tensor.path] = &tensor;
  }

  ConstMatrix<float> at(const std::string& path) const {
    const auto found = by_path.find(path);
    TP_CHECK(found != by_path.end(), path.c_str());
    return found->second->values;
  }
  ConstMatrix<float> parameter(const std::string& name) {
    return model->parameters().get(name).value;
  }
};

ModelConfig small(Architecture architecture, NormPlacement norm) {
  ModelConfig config;
  config.architecture = architecture;
  config.norm = norm;
  config.d_model = 12;
  config.heads = 3;
  config.d_ff = 20;
  config.source_vocabulary = config.target_vocabulary = 9;
  config.max_source_length = config.max_target_length = 8;
  return config;
}

std::vector<ModelConfig> configurations() {
  std::vector<ModelConfig> list;
  for (auto architecture :
       {Architecture::encoder_decoder, Architecture::encoder_only, Architecture::decoder_only}) {
    for (auto norm : {NormPlacement::pre, NormPlacement::post}) {
      list.push_back(small(architecture, norm));
    }
  }
  list[1].dropout = 0.2;
  list[2].head = HeadKind::classification;
  list[2].outputs = 4;
  list[3].final_norm = false;
  list[4].positions = PositionKind::rotary;
  list[5].biases = false;
  list.push_back(small(Architecture::encoder_decoder, NormPlacement::pre));
  list.back().norm_kind = NormKind::rms;
  list.back().positions = PositionKind::alibi;
  return list;
}

TEST(Trace, PathsAreUniqueAndMadeFromWhatCameBefore) {
  for (const ModelConfig& config : configurations()) {
    const Traced traced(config, {5, 3}, {4, 6}, 1);
    std::set<std::string> known;
    for (const ParameterEntry& entry : traced.model->parameters().entries())
      known.insert(entry.name);
    for (const auto& tensor : traced.tensors) {
      EXPECT_FALSE(tensor.operation.empty()) << tensor.path;
      for (const std::string& input : tensor.inputs) {
        EXPECT_TRUE(known.contains(input)) << tensor.path << " is made from " << input;
      }
      EXPECT_TRUE(known.insert(tensor.path).second) << tensor.path << " twice";
      EXPECT_EQ(tensor.values.rows, tensor.rows.size) << tensor.path;
      EXPECT_EQ(tensor.values.columns, tensor.columns.size) << tensor.path;
      ASSERT_NE(tensor.values.data, nullptr) << tensor.path;
      const int length = tensor.rows.kind == AxisKind::source_token   ? 3
                         : tensor.rows.kind == AxisKind::target_token ? 6
                                                                      : 1;
      EXPECT_EQ(tensor.rows.size, length) << tensor.path;
    }
  }
}

TEST(Trace, HasEveryTensorOfAnEncoderDecoder) {
  const ModelConfig config = small(Architecture::encoder_decoder, NormPlacement::pre);
  const Traced traced(config, {5, 3}, {4, 6}, 0);
  const char* expected[] = {"source.embedded",
                            "source.positions",
                            "source.output",
                            "encoder.0.norm1.mean",
                            "encoder.0.norm1.output",
                            "encoder.1.self_attn.head.2.query",
                            "encoder.1.self_attn.head.0.key",
                            "encoder.0.self_attn.head.1.value",
                            "encoder.0.self_attn.head.1.raw_scores",
                            "encoder.0.self_attn.head.1.scores",
                            "encoder.0.self_attn.head.1.weights",
                            "encoder.0.self_attn.head.1.context",
                            "encoder.0.self_attn.context",
                            "encoder.0.self_attn.output",
                            "encoder.0.residual1",
                            "encoder.0.norm2.inverse_std",
                            "encoder.0.feed_forward.hidden",
                            "encoder.0.feed_forward.activated",
                            "encoder.0.feed_forward.output",
                            "encoder.1.residual2",
                            "encoder.norm.output",
                            "target.output",
                            "decoder.1.self_attn.head.2.weights",
                            "decoder.1.cross_attn.head.2.weights",
                            "decoder.1.residual3",
                            "decoder.norm.output",
                            "head.logits",
                            "head.probabilities",
                            "head.losses",
                            "head.d_logits",
                            "decoder.1.cross_attn.head.2.d_weights",
                            "decoder.0.cross_attn.head.0.d_scores",
                            "decoder.norm.d_output",
                            "encoder.norm.d_output",
                            "encoder.0.feed_forward.d_hidden",
                            "encoder.0.self_attn.head.0.d_query",
                            "encoder.0.d_residual1",
                            "source.d_output",
                            "target.d_embedded"};
  for (const char* path : expected) EXPECT_TRUE(traced.by_path.contains(path)) << path;
  const TracedTensor<float>& weights = *traced.by_path.at("decoder.1.cross_attn.head.2.weights");
  EXPECT_EQ(name_of(weights.rows.kind), "target token");
  EXPECT_EQ(name_of(weights.columns.kind), "source token");
  EXPECT_EQ(weights.operation, "softmax");
  EXPECT_EQ(weights.inputs, std::vector<std::string>{"decoder.1.cross_attn.head.2.scores"});
  const TracedTensor<float>& key = *traced.by_path.at("decoder.1.cross_attn.head.2.key");
  EXPECT_EQ(key.inputs.front(), "encoder.norm.output");
  EXPECT_EQ(key.rows.size, 5);
}

TEST(Trace, AHookSeesWhatFitsItsPattern) {
  const ModelConfig config = small(Architecture::encoder_decoder, NormPlacement::pre);
  const Traced traced(config, {5, 3}, {4, 6}, 0);
  std::vector<std::string> seen;
  visit_tensors<float>(
      *traced.model, *traced.activations, traced.batch, "decoder.*.cross_attn.head.1.*weights",
      [&](const TracedTensor<float>& tensor) {
        seen.push_back(tensor.path);
        EXPECT_EQ(tensor.values.data, traced.at(tensor.path).data);
      },
      0, TraceParts::forward_and_backward);
  EXPECT_EQ(seen,
            (std::vector<std::string>{
                "decoder.0.cross_attn.head.1.weights", "decoder.1.cross_attn.head.1.weights",
                "decoder.1.cross_attn.head.1.d_weights", "decoder.0.cross_attn.head.1.d_weights"}));
}

// What is said about a tensor is true: computing its operation again from its inputs gives its
// numbers, bit for bit.
class Recomputed {
 public:
  explicit Recomputed(Traced& traced) : traced_(traced) {}

  int check() {
    int checked = 0;
    for (const auto& tensor : traced_.tensors) {
      result_.assign(tensor.values.rows * static_cast<std::size_t>(tensor.values.columns), 0);
      y_ = Matrix<float>(result_.data(), tensor.values.rows, tensor.values.columns);
      if (!compute(tensor)) continue;
      ++checked;
      for (int i = 0; i < y_.rows; ++i) {
        EXPECT_EQ(std::memcmp(y_.row(i), tensor.values.row(i), sizeof(float) * y_.columns), 0)
            << tensor.path << " row " << i;
      }
    }
    return checked;
  }

 private:
  ConstMatrix<float> input(const TracedTensor<float>& tensor, std::size_t i) {
    return traced_.at(tensor.inputs[i]);
  }
  std::vector<KeyRange> ranges(const TracedTensor<float>& tensor) const {
    const bool causal =
        tensor.path.starts_with("decoder") && tensor.path.find("self_attn") != std::string::npos;
    std::vector<KeyRange> list;
    const int keys = traced_.at(tensor.path.substr(0, tensor.path.rfind('.')) + ".key").rows;
    for (int i = 0; i < tensor.rows.size; ++i) list.push_back({0, causal ? i + 1 : keys});
    return list;
  }
  std::span<const float> vector(const std::string& name) {
    const ConstMatrix<float> found = traced_.parameter(name);
    return {found.data, static_cast<std::size_t>(found.columns)};
  }
  static std::vector<float> flat_copy(ConstMatrix<float> m) {
    std::vector<float> copy;
    for (int i = 0; i < m.rows; ++i) copy.insert(copy.end(), m.row(i), m.row(i) + m.columns);
    return copy;
  }

  bool compute(const TracedTensor<float>& t) {
    const Kernels<float>& k = reference_kernels<float>();
    if (t.operation == "add") {
      k.add(flat_copy(input(t, 0)), flat_copy(input(t, 1)), result_);
      return true;
    }
    if (t.operation == "relu") {
      k.relu(flat_copy(input(t, 0)), result_);
      return true;
    }
    if (t.operation == "query key^T / sqrt(d_head)") {
      std::fill(result_.begin(), result_.end(), -INFINITY);
      k.banded_nt(input(t, 0), input(t, 1), 1 / std::sqrt(float(input(t, 0).columns)), ranges(t),
                  y_);
      return true;
    }
    if (t.operation == "query key^T / sqrt(d_head) + position bias") {
      std::fill(result_.begin(), result_.end(), -INFINITY);
      const auto seen = ranges(t);
      k.banded_nt(input(t, 0), input(t, 1), 1 / std::sqrt(float(input(t, 0).columns)), seen, y_);
      for (int i = 0; i < y_.rows; ++i) {
        for (int j = seen[i].begin; j < seen[i].end; ++j) y_(i, j) += input(t, 2)(i, j);
      }
      return true;
    }
    if (t.operation == "softmax" && t.path != "head.probabilities") {
      k.softmax(input(t, 0), ranges(t), y_);
      return true;
    }
    if (t.operation == "weights value") {
      k.banded_nn(input(t, 0), input(t, 1), 1, ranges(t), y_);
      return true;
    }
    if (t.operation == "backward of softmax" && t.path.ends_with(".d_scores")) {
      k.softmax_backward(input(t, 1), input(t, 0), ranges(t), y_);
      return true;
    }
    if (t.operation == "layer norm") {
      std::vector<float> mean(result_.size()), inverse_std(result_.size());
      k.layer_norm(input(t, 0), vector(t.inputs[3]),
                   t.inputs.size() > 4 ? vector(t.inputs[4]) : std::span<const float>(), 1e-5f,
                   mean, inverse_std, y_);
      return true;
    }
    if (t.operation == "rms norm") {
      std::vector<float> inverse_rms(result_.size());
      k.rms_norm(input(t, 0), vector(t.inputs[2]), 1e-5f, inverse_rms, y_);
      return true;
    }
    if (t.operation == "linear") {
      int first = 0;  // row of in_proj_weight, for the heads of query, key and value
      if (t.path.find(".head.") != std::string::npos) {
        const int d = traced_.model->config().d_model, d_head = t.columns.size;
        const int head = t.path[t.path.find(".head.") + 6] - '0';
        const int block = t.path.ends_with("query") ? 0 : t.path.ends_with("key") ? 1 : 2;
        first = block * d + head * d_head;
      }
      const bool biased = t.inputs.size() > 2;
      k.affine(input(t, 0), traced_.parameter(t.inputs[1]).row_range(first, y_.columns),
               biased ? vector(t.inputs[2]).subspan(first, y_.columns) : std::span<const float>(),
               y_);
      return true;
    }
    return false;
  }

  Traced& traced_;
  std::vector<float> result_;
  Matrix<float> y_;
};

TEST(Trace, SaysTruthfullyWhatEachTensorIsMadeFrom) {
  for (ModelConfig config : configurations()) {
    config.dropout = 0;  // its masks are not among the tensors
    Traced traced(config, {5, 3}, {4, 6}, 1);
    EXPECT_GT(Recomputed(traced).check(), 40);
  }
}

// Before the scale, and before anything is hidden.
TEST(Trace, RawScoresTimesTheScaleAreTheScores) {
  for (const ModelConfig& config : configurations()) {
    const Traced traced(config, {5, 3}, {4, 6}, 1);
    const float scale = 1 / std::sqrt(static_cast<float>(config.d_head()));
    int hidden = 0, shown = 0;
    for (const auto& tensor : traced.tensors) {
      if (!tensor.path.ends_with(".raw_scores")) continue;
      const std::string head = tensor.path.substr(0, tensor.path.rfind('.') + 1);
      const ConstMatrix<float> scores = traced.at(head + "scores");
      const bool biased = traced.by_path.contains(head + "position_bias");
      EXPECT_EQ(biased, config.positions == PositionKind::alibi &&
                            head.find("self_attn") != std::string::npos);
      const ConstMatrix<float> query = traced.at(head + "query"), key = traced.at(head + "key");
      for (int i = 0; i < scores.rows; ++i) {
        for (int j = 0; j < scores.columns; ++j) {
          float raw = 0;
          for (int c = 0; c < query.columns; ++c) raw += query(i, c) * key(j, c);
          EXPECT_EQ(tensor.values(i, j), raw) << tensor.path;
          if (scores(i, j) == -INFINITY) {
            ++hidden;
          } else {
            ++shown;
            const float scaled = scale * raw;
            EXPECT_EQ(scores(i, j),
                      biased ? scaled + traced.at(head + "position_bias")(i, j) : scaled)
                << tensor.path;
          }
        }
      }
    }
    EXPECT_GT(shown, 0);
    EXPECT_EQ(hidden > 0, config.has_decoder());
  }
}

// The gradients in the trace are those that the gradients of parameters were made from.
TEST(Trace, GradientsOfTensorsExplainGradientsOfParameters) {
  for (const ModelConfig& config : configurations()) {
    const bool encoder = config.has_encoder();
    Traced traced(config, {5}, {6}, 0);
    const std::string layer = encoder ? "encoder.0" : "decoder.0";
    const std::string parameter = encoder ? "encoder.layers.0" : "decoder.layers.0";
    const std::string in = config.norm == NormPlacement::pre ? ".norm2.output" : ".norm1.output";
    std::vector<float> d_weight(static_cast<std::size_t>(config.d_ff * config.d_model));
    reference_kernels<float>().matmul_tn(
        traced.at(layer + ".feed_forward.d_hidden"), traced.at(layer + in),
        Matrix<float>(d_weight.data(), config.d_ff, config.d_model), Update::add);
    const auto gradient = traced.model->parameters().get(parameter + ".linear1.weight").gradients();
    EXPECT_EQ(std::memcmp(d_weight.data(), gradient.data(), gradient.size_bytes()), 0);
    // The last gradient to be computed is not zero: it came all the way.
    double size = 0;
    const ConstMatrix<float> d = traced.at(encoder ? "source.d_embedded" : "target.d_embedded");
    for (int j = 0; j < d.columns; ++j) size += std::abs(d(0, j));
    EXPECT_GT(size, 0);
  }
}

}  // namespace
}  // namespace tp::test
