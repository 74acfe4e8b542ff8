#include "engine/train/evaluation.h"

#include <algorithm>

#include "engine/core/maths.h"
#include "engine/model/decode.h"

namespace tp {
namespace {

int best_index(std::span<const float> row) {
  return static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin());
}

std::span<const float> row_of(ConstMatrix<float> matrix, int i) {
  return {matrix.row(i), static_cast<std::size_t>(matrix.columns)};
}

// -log softmax(logits)[label], in double.
double surprise(std::span<const float> logits, int label) {
  const double largest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (float logit : logits) sum += maths::exp(double{logit} - largest);
  return maths::log(sum) - (double{logits[label]} - largest);
}

// Adds up, over examples, where the heads look that read the source from the target.
class AlignmentSums {
 public:
  void add(const Transformer<float>& model, const Activations<float>& activations,
           const Batch<float>& batch, int sequence, const Example& example) {
    cells_.clear();
    for (const Link& link : example.links) {
      if (link.scored) cells_.push_back({link.output, link.source});
    }
    if (cells_.empty()) return;
    Reader reader(*this, sequence, model.config().heads);
    model.describe(reader, activations, batch);
  }

  std::vector<LayerAlignment> mean() const {
    std::vector<LayerAlignment> list;
    for (const std::vector<TargetSums>& layer : layers_) {
      LayerAlignment& alignment = list.emplace_back();
      for (const TargetSums& sums : layer) alignment.heads.push_back(sums.mean());
      alignment.mean = alignment.heads.back();
      alignment.heads.pop_back();
    }
    return list;
  }

 private:
  // Finds the weights, head after head and layer after layer.
  class Reader : public PassVisitor<float> {
   public:
    Reader(AlignmentSums& sums, int sequence, int heads)
        : PassVisitor(sequence), sums_(sums), heads_(heads) {}

   private:
    void visit(const DescribedTensor<float>& tensor) override {
      if (tensor.name != "weights" || tensor.rows.kind != AxisKind::target_token ||
          tensor.columns.kind != AxisKind::source_token) {
        return;
      }
      const int head = found_ % heads_, layer = found_ / heads_;
      ++found_;
      if (layer == std::ssize(sums_.layers_)) {
        sums_.layers_.emplace_back(static_cast<std::size_t>(heads_) + 1);
      }
      std::vector<TargetSums>& sums = sums_.layers_[layer];
      const std::span<const float> weights = tensor.values.flat();
      if (head == 0) sums_.mean_.assign(weights.size(), 0.0f);
      for (std::size_t i = 0; i < weights.size(); ++i) {
        sums_.mean_[i] += weights[i] / static_cast<float>(heads_);
      }
      const auto add = [&](TargetSums& sum, std::span<const float> map) {
        sum.add({map, tensor.rows.size, tensor.columns.size, {}}, sums_.cells_);
      };
      add(sums[head], weights);
      if (head + 1 == heads_) add(sums.back(), sums_.mean_);
    }

    AlignmentSums& sums_;
    const int heads_;
    int found_ = 0;
  };

  std::vector<std::vector<TargetSums>> layers_;  // of each head, then of the mean of their weights
  std::vector<TargetCell> cells_;                // of the example
  std::vector<float> mean_;
};

}  // namespace

// Everything that is added up over held-out examples.
class Exam::Sums {
 public:
  Sums(const Transformer<float>& model, const Task& task) : model_(model), task_(task) {}

  void begin_batch(int examples) { metrics_.assign(static_cast<std::size_t>(examples), 0); }
  // In the order of the examples, whichever order they became known in.
  void end_batch() {
    for (const double metric : metrics_) metric_ += metric;
  }

  // What the activations of a batch say about its example `s`. False where the answer must be
  // written out to know it: then add_written() follows.
  bool add(const Example& example, int s, const Batch<float>& batch, const Activations<float>& a) {
    const SequenceLayout& layout = batch.head_layout(model_.config());
    ++count_;
    bool known = true;
    if (model_.config().head == HeadKind::tokens) {
      known = add_tokens(example, s, batch.labels, layout, a.logits());
    } else if (model_.config().head == HeadKind::classification) {
      add_class(example, s, row_of(a.logits(), s));
    } else {
      add_values(example, s, row_of(a.logits(), s));
    }
    if (const auto guess = task_.baseline(example)) {
      baseline_ += *guess;
      ++baselines_;
    }
    alignment_.add(model_, a, batch, s, example);
    return known;
  }

  void add_written(const Example& example, int s, std::span<const int> tokens) {
    answer_.tokens.assign(tokens.begin(), tokens.end());
    exact_ += answer_.tokens == example.target;
    metrics_[s] = task_.score(answer_of(example), answer_.answer());
  }

  Evaluation result() const {
    Evaluation result;
    const double answers = std::max(count_, 1);
    result.examples = count_;
    result.loss = loss_ / static_cast<double>(std::max(losses_, 1L));
    if (tokens_ > 0) {
      result.token_accuracy = static_cast<double>(right_tokens_) / static_cast<double>(tokens_);
    }
    const bool complete = model_.config().architecture != Architecture::decoder_only &&
                          model_.config().head != HeadKind::regression;
    if (complete) result.exact = exact_ / answers;
    result.metric = metric_ / answers;
    if (baselines_ > 0) result.baseline = baseline_ / baselines_;
    result.alignment = alignment_.mean();
    return result;
  }

 private:
  bool add_tokens(const Example& example, int s, std::span<const int> labels,
                  const SequenceLayout& layout, ConstMatrix<float> logits) {
    answer_.tokens.clear();
    bool all_right = true;
    for (int i = layout.begin(s); i < layout.end(s); ++i) {
      const int guess = best_index(row_of(logits, i));
      answer_.tokens.push_back(guess);
      loss_ += surprise(row_of(logits, i), labels[i]);
      right_tokens_ += guess == labels[i];
      all_right &= guess == labels[i];
    }
    losses_ += layout.length(s);
    tokens_ += layout.length(s);
    if (!model_.config().has_encoder()) {
      const std::span<const int> expected = std::span(example.target).subspan(1);
      metrics_[s] = task_.score({.tokens = expected}, answer_.answer());
      return true;
    }
    // Decoding computes the same bits as this pass. As long as it writes the right tokens it reads
    // the right ones, so where every guess is right the answer is known without writing it.
    if (all_right) add_written(example, s, example.target);
    return all_right;
  }

  void add_class(const Example& example, int s, std::span<const float> logits) {
    answer_.label = best_index(logits);
    loss_ += surprise(logits, example.label);
    ++losses_;
    ++tokens_;
    right_tokens_ += answer_.label == example.label;
    exact_ += answer_.label == example.label;
    metrics_[s] = task_.score(answer_of(example), answer_.answer());
  }

  void add_values(const Example& example, int s, std::span<const float> values) {
    answer_.values.assign(values.begin(), values.end());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double error = double{values[i]} - double{example.values[i]};
      loss_ += error * error;
    }
    losses_ += std::ssize(values);
    metrics_[s] = task_.score(answer_of(example), answer_.answer());
  }

  const Transformer<float>& model_;
  const Task& task_;
  ModelAnswer answer_;
  std::vector<double> metrics_;  // of the batch's examples
  AlignmentSums alignment_;
  int count_ = 0, baselines_ = 0;
  long losses_ = 0, tokens_ = 0, right_tokens_ = 0;
  double loss_ = 0, exact_ = 0, metric_ = 0, baseline_ = 0;
};

double Evaluation::best_head_alignment() const {
  double best = 0;
  if (alignment.empty()) return best;
  for (const AlignmentScore& head : alignment.back().heads) best = std::max(best, head.share);
  return best;
}

std::vector<int> write_answer(const Transformer<float>& model, const Task& task,
                              const Example& example) {
  const auto scorer = cached_scorer<float>(model, {example.source, example.patches}, 1);
  TP_CHECK(scorer.ok(), "an example that does not fit its model");
  const int prompt[] = {kBegin};
  const auto answer = decode_greedy<float>(
      *scorer.value(), prompt, {.end_token = kEnd, .max_new_tokens = task.sizes().target + 1});
  TP_CHECK(answer.ok(), "a prompt that does not fit its model");
  std::vector<int> tokens = answer.value().tokens;
  if (answer.value().ended) tokens.pop_back();
  return tokens;
}

Exam::Exam(const Transformer<float>& model, const Task& task, std::uint64_t seed, int examples,
           int batch, BatchMaker& batches, Activations<float>& activations)
    : model_(model),
      task_(task),
      seed_(seed),
      examples_(examples),
      batch_(batch),
      batches_(batches),
      activations_(activations),
      sums_(std::make_unique<Sums>(model, task)),
      drawn_(static_cast<std::size_t>(std::min(examples, batch))),
      writer_(model, task) {
  draw();
}

Exam::~Exam() = default;

void Exam::draw() {
  count_ = std::min(batch_, examples_ - first_);
  stage_ = next_ = 0;
  unwritten_.clear();
  batches_.clear();
  for (int i = 0; i < count_; ++i) {
    task_.sample(Split::held_out, seed_, static_cast<std::uint64_t>(first_ + i), drawn_[i]);
    batches_.add(drawn_[i]);
  }
  batches_.pack();
  sums_->begin_batch(count_);
}

// Passes the batch through the model, looks at each example, and writes the answers that are not
// known from that.
bool Exam::advance() {
  if (stage_ < model_.stages()) {
    model_.forward_stage(stage_++, batches_.packed(), {}, activations_);
    return false;
  }
  if (next_ < count_) {
    const bool known = sums_->add(drawn_[next_], next_, batches_.packed(), activations_);
    if (!known) unwritten_.push_back(next_);
    if (++next_ < count_ || !unwritten_.empty()) return false;
  }
  if (!unwritten_.empty() && !write()) return false;
  sums_->end_batch();
  first_ += count_;
  if (first_ == examples_) return true;
  draw();
  return false;
}

// A piece of the answers to be written; true when none is left.
bool Exam::write() {
  const int count = std::min(writer_.at_once(), static_cast<int>(unwritten_.size()));
  if (!writer_.writing()) {
    const SequenceLayout& layout = batches_.packed().source_layout;
    std::vector<Block<float>::MemoryRows> rows;
    for (int i = 0; i < count; ++i) {
      rows.push_back({layout.begin(unwritten_[i]), layout.length(unwritten_[i])});
    }
    writer_.begin(activations_.source.stack.output, std::move(rows));
    return false;
  }
  if (!writer_.advance()) return false;
  for (int i = 0; i < count; ++i) {
    sums_->add_written(drawn_[unwritten_[i]], unwritten_[i], writer_.tokens(i));
  }
  unwritten_.erase(unwritten_.begin(), unwritten_.begin() + count);
  return unwritten_.empty();
}

Evaluation Exam::result() const { return sums_->result(); }

Evaluation evaluate(const Transformer<float>& model, const Task& task, std::uint64_t seed,
                    int examples, int batch, BatchMaker& batches, Activations<float>& activations) {
  Exam exam(model, task, seed, examples, batch, batches, activations);
  while (!exam.advance()) {
  }
  return exam.result();
}

}  // namespace tp
