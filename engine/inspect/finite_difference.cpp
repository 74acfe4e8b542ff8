#include "engine/inspect/finite_difference.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/maths.h"
#include "engine/inspect/explain_rules.h"

namespace tp {
namespace {

constexpr int kSteps = 7;           // that are tried, each half of the one before
constexpr float kFirstStep = 0.5f;  // of the size of the tensor's numbers

// From the logits on in double: a float of the loss has too few digits for small differences.
double loss_of(const Transformer<float>& model, const Activations<float>& activations,
               const Batch<float>& batch) {
  const ConstMatrix<float> logits = activations.logits();
  double sum = 0;
  if (model.config().head == HeadKind::regression) {
    for (std::size_t i = 0; i < batch.target_values.size(); ++i) {
      const double apart = double{logits.flat()[i]} - double{batch.target_values[i]};
      sum += apart * apart;
    }
    return sum / static_cast<double>(batch.target_values.size());
  }
  const double smoothing = model.config().label_smoothing;
  int counted = 0;
  for (int i = 0; i < logits.rows; ++i) {
    const int label = batch.labels[i];
    if (label == kIgnoredLabel) continue;
    double total = 0, mean = 0;
    for (int v = 0; v < logits.columns; ++v) {
      total += maths::exp(double{logits(i, v)} - double{logits(i, label)});
      mean += (double{logits(i, label)} - double{logits(i, v)}) / logits.columns;
    }
    // -log p[v] = log(total) + logits[label] - logits[v]
    sum += maths::log(total) + smoothing * mean;
    ++counted;
  }
  return counted == 0 ? 0 : sum / counted;
}

// The size that its numbers have.
float size_of(ConstMatrix<float> values) {
  double squares = 0;
  int count = 0;
  for (int i = 0; i < values.rows; ++i) {
    for (int j = 0; j < values.columns; ++j) {
      if (!std::isfinite(values(i, j))) continue;
      squares += double{values(i, j)} * double{values(i, j)};
      ++count;
    }
  }
  return squares > 0 ? static_cast<float>(maths::sqrt(squares / count)) : 1.0f;
}

}  // namespace

Result<std::unique_ptr<FiniteDifference>> FiniteDifference::create(const ExplainedPass& pass,
                                                                   const Cell& cell,
                                                                   std::size_t memory_limit) {
  auto model = Transformer<float>::create(pass.model.config(), patched_kernels(), memory_limit);
  if (!model) return model.error();
  auto activations =
      model.value()->make_activations(pass.activations.limits, GradientMemory::kept, memory_limit);
  if (!activations) return activations.error();
  std::unique_ptr<FiniteDifference> made(new FiniteDifference);
  made->model_ = std::move(model.value());
  made->activations_ = std::move(activations.value());
  made->batch_ = pass.batch;
  made->patch_.kernels = &pass.model.kernels();
  std::ranges::copy(pass.model.parameters().values(), made->model_->parameters().values().begin());
  made->find_number(pass.sequence, cell);
  return made;
}

void FiniteDifference::find_number(int sequence, const Cell& cell) {
  loss_moved_by(0);  // so that there is a place for everything
  ParameterStore<float>& store = model_->parameters();
  if (store.find(cell.path) != nullptr) {
    const Matrix<float> values = store.get(cell.path).value;
    number_ = values.row(cell.row) + cell.column;
    start_ = *number_;
    step_ = kFirstStep * size_of(values);
    return;
  }
  const std::vector<ExplainedTensor> tensors =
      described_tensors({*model_, *activations_, batch_, sequence});
  const auto called = [&](std::string_view path) {
    return std::ranges::find(tensors, path, &ExplainedTensor::path);
  };
  auto tensor = called(cell.path);
  TP_CHECK(tensor != tensors.end(), "a tensor that was explained is there");
  step_ = kFirstStep * size_of(tensor->values);
  start_ = tensor->values(cell.row, cell.column);
  if (tensor->operation == "input") {
    // The batch holds it; nothing writes it.
    const float* place = tensor->values.row(cell.row) + cell.column;
    number_ = batch_.source_patches.data() + (place - batch_.source_patches.data());
    return;
  }
  // A copy is no operation: what it was copied from has the same derivative.
  if (tensor->operation == "copy" || tensor->operation == "first token") {
    tensor = tensors.begin() + tensor->inputs[0].tensor;
  }
  const auto id = static_cast<TensorId>(tensor - tensors.begin());
  const auto turned = std::ranges::find_if(tensors, [&](const ExplainedTensor& other) {
    return other.operation == "rotary positions" && other.inputs[0].tensor == id;
  });
  // A rotation turns its pairs in place: before it, that is where the projection was written.
  const bool turns = turned != tensors.end();
  patch_.place = (turns ? *turned : *tensor).values.row(cell.row) + cell.column;
  loss_moved_by(0);
  patch_.write = turns ? 1 : patch_.writes;
}

double FiniteDifference::loss_moved_by(float delta) {
  if (number_ != nullptr) *number_ = start_ + delta;
  patch_.delta = delta;
  {
    const PatchScope scope(patch_);
    model_->forward(batch_, {}, *activations_);
  }
  if (number_ != nullptr) *number_ = start_;
  return loss_of(*model_, *activations_, batch_);
}

double FiniteDifference::difference(float step) {
  // The step that is really taken, after rounding.
  const double above = double{start_ + step} - double{start_};
  const double below = double{start_} - double{start_ - step};
  return (loss_moved_by(step) - loss_moved_by(-step)) / (above + below);
}

bool FiniteDifference::advance() {
  constexpr double kRatio = 4;              // of the squares of two steps
  if (!std::isfinite(start_)) return true;  // a hidden score cannot be moved
  std::vector<double> row{difference(step_)};
  double factor = kRatio;
  bool worse = false;
  for (std::size_t j = 1; j <= row_.size(); ++j, factor *= kRatio) {
    row.push_back((row[j - 1] * factor - row_[j - 1]) / (factor - 1));
    const double error = std::max(std::abs(row[j] - row[j - 1]), std::abs(row[j] - row_[j - 1]));
    if (row_.size() + j == 2 || error <= error_) {
      error_ = error;
      best_ = row[j];
    }
  }
  if (!row_.empty()) worse = std::abs(row.back() - row_.back()) >= 2 * error_;
  row_ = std::move(row);
  step_ /= 2;
  return worse || std::ssize(row_) == kSteps;
}

Cell moved_cell(const Explanation& explanation) {
  const bool of_gradient = explanation.operation == "gradient of the loss";
  return {of_gradient ? explanation.terms[0].path : explanation.path, explanation.row,
          explanation.column};
}

Status add_finite_difference(const ExplainedPass& pass, Explanation& explanation) {
  if (!explanation.gradient) return Done{};
  auto difference = FiniteDifference::create(pass, moved_cell(explanation));
  if (!difference) return difference.error();
  while (!difference.value()->advance()) {
  }
  explanation.finite_difference = difference.value()->value();
  return Done{};
}

}  // namespace tp
