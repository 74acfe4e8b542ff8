#pragma once

#include <memory>
#include <vector>

#include "engine/model/transformer.h"
#include "engine/session/snapshot.h"
#include "engine/tasks/task.h"
#include "engine/train/batch_maker.h"

// One held-out example, with its answer, in front of the model: what each head looks at.

namespace tp {

class AttentionView {
 public:
  static Result<std::unique_ptr<AttentionView>> create(std::shared_ptr<const Task> task,
                                                       const Transformer<float>& model,
                                                       std::size_t memory_limit);

  // The held-out example of this number.
  void choose(int index);
  const ShownExample& example() const { return shown_; }

  // Runs the model on the example, a stage at a time. Maps and stills are of the last whole look.
  void begin_look() { stage_ = 0; }
  bool advance_look(const Transformer<float>& model);  // true when it is whole
  bool looking() const { return stage_ >= 0; }
  std::vector<AttentionMap> maps(const Transformer<float>& model) const;
  // The mean over heads of the last cross-attention, or self-attention where there is no other.
  Still still(const Transformer<float>& model) const;

 private:
  AttentionView(std::shared_ptr<const Task> task, const Transformer<float>& model,
                std::unique_ptr<Activations<float>> activations);

  AttentionMap map_of(const Attention<float>& attention, const Attention<float>::Cache& cache,
                      AttentionKind kind, int layer) const;
  void describe();

  std::shared_ptr<const Task> task_;
  std::unique_ptr<Activations<float>> activations_;
  BatchMaker batches_;
  Example example_;
  int stage_ = -1;  // of a look
  ShownExample shown_;
};

}  // namespace tp
