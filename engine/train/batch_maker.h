#pragma once

#include <vector>

#include "engine/model/batch.h"
#include "engine/tasks/task.h"

// From a task's examples to a model's batches:
//
//   encoder-decoder   reads source, and <begin> target; answers target <end>
//   decoder-only      reads target without its last token; answers target without its first
//   encoder-only      reads source or patches; answers a class or numbers

namespace tp {

// The only one that a task of this kind can be learned with.
Architecture architecture_of(TaskKind kind);

// `config` with everything that follows from the task: the architecture, vocabularies, lengths, the
// head.
ModelConfig fit_to_task(ModelConfig config, const Task& task);

// Room for batches of this many examples of the task.
BatchLimits batch_limits(const ModelConfig& config, int sequences);

class BatchMaker {
 public:
  BatchMaker(const Task& task, const ModelConfig& config, int sequences);

  void clear();
  void add(const Example& example);
  int sequences() const { return sequences_; }
  // Of the examples added since clear(). Stays until the next call.
  const Batch<float>& pack();
  const Batch<float>& packed() const { return batch_; }

 private:
  // Rows of a [sequences, width] matrix.
  struct Tokens {
    int width = 0;
    std::vector<int> ids, lengths;
    PaddedTokens padded() const { return {ids, width, lengths}; }
  };
  // A new row of `length` tokens, to be filled in.
  static std::span<int> new_row(Tokens& tokens, std::size_t length);

  ModelConfig config_;
  int sequences_ = 0;
  Tokens source_, target_;
  std::vector<int> patch_lengths_, labels_;
  int patch_width_ = 0;
  std::vector<float> patches_, values_;
  Batch<float> batch_;
};

}  // namespace tp
