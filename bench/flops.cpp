#include "bench/flops.h"

namespace tp::bench {

double step_flops(const Transformer<float>& model, const Batch<float>& batch) {
  const SequenceLayout &source = batch.source_layout, &target = batch.target_layout;
  double forward = 0;
  for (int s = 0; s < batch.head_layout(model.config()).sequences(); ++s) {
    const Lengths lengths{model.source() ? source.length(s) : 0,
                          model.target() ? target.length(s) : 0};
    forward += model.operations(lengths, Cells::all);
  }
  return 3 * forward;
}

}  // namespace tp::bench
