#include "engine/inspect/trace.h"

#include <utility>

#include "engine/inspect/path_pattern.h"

namespace tp {
namespace {

// Collects tensors with their gradients; the inputs of a gradient follow from who used the tensor.
template <class T>
class Tracer : public PassVisitor<T> {
 public:
  using PassVisitor<T>::PassVisitor;

  std::vector<TracedTensor<T>> take(TraceParts parts) {
    std::vector<TracedTensor<T>> list = forward_;
    if (parts == TraceParts::forward) return list;
    for (std::size_t i = forward_.size(); i-- > 0;) {
      if (gradients_[i].empty()) continue;
      TracedTensor<T> d = forward_[i];
      d.path = gradient_path(d.path);
      d.values = gradients_[i];
      d.operation = "gradient of the loss";
      d.inputs.clear();
      for (const TensorId user : users_[i]) {
        d.operation = "backward of " + forward_[user].operation;
        if (!gradients_[user].empty()) d.inputs.push_back(gradient_path(forward_[user].path));
        d.inputs.push_back(forward_[user].path);
      }
      list.push_back(std::move(d));
    }
    return list;
  }

 private:
  void visit(const DescribedTensor<T>& tensor) override {
    std::vector<std::string> inputs;
    for (const TensorInput& input : tensor.inputs) {
      if (input.tensor != kNoTensor) {
        inputs.push_back(forward_[input.tensor].path);
        users_[input.tensor].push_back(tensor.id);
      } else if (!input.parameter.empty()) {
        inputs.emplace_back(input.parameter);
      }
    }
    forward_.push_back({this->path(tensor.name), tensor.operation, std::move(inputs), tensor.rows,
                        tensor.columns, tensor.values});
    gradients_.push_back(tensor.gradient);
    users_.emplace_back();
  }

  std::vector<TracedTensor<T>> forward_;
  std::vector<ConstMatrix<T>> gradients_;     // of these; empty where there is none
  std::vector<std::vector<TensorId>> users_;  // the tensors that were made from them
};

}  // namespace

template <class T>
std::vector<TracedTensor<T>> trace(const Transformer<T>& model, const Activations<T>& activations,
                                   const Batch<T>& batch, int sequence, TraceParts parts) {
  TP_CHECK(sequence >= 0 && sequence < batch.head_layout(model.config()).sequences(),
           "no such sequence in the batch");
  TP_CHECK(activations.gradient_memory == GradientMemory::kept,
           "everything is kept only by activations made with GradientMemory::kept");
  Tracer<T> tracer(sequence);
  model.describe(tracer, activations, batch);
  return tracer.take(parts);
}

template <class T>
void visit_tensors(const Transformer<T>& model, const Activations<T>& activations,
                   const Batch<T>& batch, std::string_view pattern,
                   const std::function<void(const TracedTensor<T>&)>& see, int sequence,
                   TraceParts parts) {
  for (const TracedTensor<T>& tensor : trace(model, activations, batch, sequence, parts)) {
    if (fits_pattern(tensor.path, pattern)) see(tensor);
  }
}

template void visit_tensors(const Transformer<float>&, const Activations<float>&,
                            const Batch<float>&, std::string_view,
                            const std::function<void(const TracedTensor<float>&)>&, int,
                            TraceParts);
template void visit_tensors(const Transformer<double>&, const Activations<double>&,
                            const Batch<double>&, std::string_view,
                            const std::function<void(const TracedTensor<double>&)>&, int,
                            TraceParts);
template std::vector<TracedTensor<float>> trace(const Transformer<float>&,
                                                const Activations<float>&, const Batch<float>&, int,
                                                TraceParts);
template std::vector<TracedTensor<double>> trace(const Transformer<double>&,
                                                 const Activations<double>&, const Batch<double>&,
                                                 int, TraceParts);

}  // namespace tp
