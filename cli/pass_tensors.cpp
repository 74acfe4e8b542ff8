#include "cli/pass_tensors.h"

#include "engine/inspect/path_pattern.h"

namespace tp::cli {
namespace {

PassTensor ids_tensor(std::string path, const std::vector<int>& ids) {
  return {std::move(path), {static_cast<std::int64_t>(ids.size())}, {}, {ids.begin(), ids.end()}};
}

PassTensor matrix_tensor(std::string path, ConstMatrix<float> matrix) {
  PassTensor tensor{std::move(path), {matrix.rows, matrix.columns}, {}, {}};
  for (int i = 0; i < matrix.rows; ++i) {
    tensor.values.insert(tensor.values.end(), matrix.row(i), matrix.row(i) + matrix.columns);
  }
  return tensor;
}

}  // namespace

std::vector<PassTensor> ends_of(const Transformer<float>& model, const ModelPass& pass) {
  std::vector<PassTensor> tensors;
  const ModelConfig& config = model.config();
  const Batch<float>& batch = pass.batch();
  if (config.has_encoder() && config.input == InputKind::tokens) {
    tensors.push_back(ids_tensor("input.src_ids", batch.source_ids));
  } else if (config.has_encoder()) {
    const auto count = static_cast<std::int64_t>(batch.source_patches.size()) / config.patch_size;
    tensors.push_back({"input.src_patches", {count, config.patch_size}, batch.source_patches, {}});
  }
  if (config.has_decoder()) tensors.push_back(ids_tensor("input.tgt_ids", batch.target_ids));
  tensors.push_back(matrix_tensor("output.logits", pass.activations->logits()));
  return tensors;
}

std::vector<PassTensor> tensors_of(const Transformer<float>& model, const ModelPass& pass,
                                   TraceParts parts) {
  std::vector<PassTensor> tensors = ends_of(model, pass);
  for (const TracedTensor<float>& traced :
       trace(model, *pass.activations, pass.batch(), 0, parts)) {
    tensors.push_back(matrix_tensor(traced.path, traced.values));
  }
  if (parts == TraceParts::forward) return tensors;
  for (const ParameterEntry& entry : model.parameters().entries()) {
    const auto values = model.parameters().gradients().subspan(entry.offset, entry.count);
    tensors.push_back({gradient_path(entry.name),
                       {entry.shape.begin(), entry.shape.end()},
                       {values.begin(), values.end()},
                       {}});
  }
  return tensors;
}

Status write_tensors(const std::string& path, const std::vector<PassTensor>& tensors) {
  std::vector<TensorToWrite> list;
  for (const PassTensor& tensor : tensors) {
    if (tensor.ids.empty()) {
      list.push_back(tensor_to_write(tensor.path, tensor.shape, tensor.values));
    } else {
      list.push_back(
          {tensor.path, DType::kI64, tensor.shape, std::as_bytes(std::span(tensor.ids))});
    }
  }
  return write_safetensors(path, list);
}

}  // namespace tp::cli
