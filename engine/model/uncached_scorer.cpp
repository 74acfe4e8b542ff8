#include <algorithm>
#include <vector>

#include "engine/model/decode_source.h"
#include "engine/model/token_scorer.h"

namespace tp {
namespace {

template <class T>
class UncachedScorer : public TokenScorer<T> {
 public:
  UncachedScorer(const Transformer<T>& model, const DecodeSource<T>& source, int max_sequences,
                 std::unique_ptr<Activations<T>> activations)
      : model_(model),
        config_(model.config()),
        ids_(source.ids.begin(), source.ids.end()),
        patches_(source.patches.begin(), source.patches.end()),
        max_sequences_(max_sequences),
        activations_(std::move(activations)) {}

  void step(std::span<const int> tokens, Matrix<T> logits) override {
    TP_CHECK(tokens.size() == histories_.size(), "one token for each sequence");
    TP_CHECK(length() < max_length(), "the sequences are as long as they may be");
    std::vector<int> lengths;
    batch_.target_ids.clear();
    for (std::size_t s = 0; s < tokens.size(); ++s) {
      histories_[s].push_back(tokens[s]);
      lengths.push_back(length());
      batch_.target_ids.insert(batch_.target_ids.end(), histories_[s].begin(), histories_[s].end());
    }
    const Status packed =
        pack_source(config_, {ids_, patches_}, static_cast<int>(tokens.size()), batch_);
    TP_CHECK(packed.ok(), "the source was checked before");
    batch_.target_layout.assign(lengths);
    model_.forward(batch_, {}, *activations_);
    for (int s = 0; s < std::ssize(tokens); ++s) {
      const int last = batch_.target_layout.end(s) - 1;
      std::copy_n(activations_->logits().row(last), logits.columns, logits.row(s));
    }
  }

  void reorder(std::span<const int> origins) override {
    TP_CHECK(std::ssize(origins) <= max_sequences_, "more sequences than there is room for");
    std::vector<std::vector<int>> reordered;
    for (int origin : origins) reordered.push_back(histories_[origin]);
    histories_ = std::move(reordered);
  }

  int length() const override { return static_cast<int>(histories_.front().size()); }
  int max_length() const override { return config_.max_target_length; }
  int vocabulary() const override { return config_.target_vocabulary; }
  int max_sequences() const override { return max_sequences_; }

 private:
  const Transformer<T>& model_;
  const ModelConfig& config_;
  const std::vector<int> ids_;
  const std::vector<T> patches_;
  const int max_sequences_;
  std::unique_ptr<Activations<T>> activations_;
  Batch<T> batch_;
  std::vector<std::vector<int>> histories_ = {{}};
};

}  // namespace

template <class T>
Result<std::unique_ptr<TokenScorer<T>>> uncached_scorer(const Transformer<T>& model,
                                                        const DecodeSource<T>& source,
                                                        int max_sequences) {
  const ModelConfig& config = model.config();
  if (Status status = check_decodable(config, max_sequences); !status) return status.error();
  Batch<T> batch;
  if (Status status = pack_source(config, source, max_sequences, batch); !status) {
    return status.error();
  }
  auto activations = model.make_activations(
      {max_sequences, std::max(1, batch.source_layout.longest()), config.max_target_length});
  if (!activations) return activations.error();
  return std::unique_ptr<TokenScorer<T>>(std::make_unique<UncachedScorer<T>>(
      model, source, max_sequences, std::move(activations.value())));
}

template Result<std::unique_ptr<TokenScorer<float>>> uncached_scorer(const Transformer<float>&,
                                                                     const DecodeSource<float>&,
                                                                     int);
template Result<std::unique_ptr<TokenScorer<double>>> uncached_scorer(const Transformer<double>&,
                                                                      const DecodeSource<double>&,
                                                                      int);

}  // namespace tp
