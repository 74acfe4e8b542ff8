#pragma once

#include <string>
#include <vector>

#include "cli/model_pass.h"
#include "engine/inspect/trace.h"
#include "engine/io/safetensors.h"

namespace tp::cli {

// A tensor of a pass, copied out of the activations. Token ids are whole numbers and have `ids`
// instead of `values`.
struct PassTensor {
  std::string path;
  Shape shape;
  std::vector<float> values;
  std::vector<std::int64_t> ids;
};

// input.src_ids (or input.src_patches), input.tgt_ids, output.logits and every tensor of the trace.
// With the backward part, also the gradients of all parameters, after run_backward().
std::vector<PassTensor> tensors_of(const Transformer<float>& model, const ModelPass& pass,
                                   TraceParts parts);
// The first few of these alone: what went in and what came out.
std::vector<PassTensor> ends_of(const Transformer<float>& model, const ModelPass& pass);

Status write_tensors(const std::string& path, const std::vector<PassTensor>& tensors);

}  // namespace tp::cli
