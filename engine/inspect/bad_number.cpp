#include "engine/inspect/bad_number.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tp {
namespace {

bool all_finite(std::span<const float> values) {
  return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

// Remembers the first tensor that fails. All sequences have the same tensors in the same order.
class Search : public PassVisitor<float> {
 public:
  // Those before `limit` alone.
  Search(int sequence, TensorId limit) : PassVisitor(sequence), found(limit) {}

  TensorId found;
  std::string found_path;

 private:
  void visit(const DescribedTensor<float>& tensor) override {
    if (tensor.id >= found || is_good(tensor)) return;
    found = tensor.id;
    found_path = path(tensor.name);
  }
  static bool is_good(const DescribedTensor<float>& tensor) {
    // Minus infinity is what hides a key from a query.
    const bool may_hide = tensor.name == "scores";
    constexpr float kHidden = -std::numeric_limits<float>::infinity();
    for (int i = 0; i < tensor.values.rows; ++i) {
      const std::span row(tensor.values.row(i), static_cast<std::size_t>(tensor.values.columns));
      const bool good = std::ranges::all_of(
          row, [&](float value) { return std::isfinite(value) || (may_hide && value == kHidden); });
      if (!good) return false;
    }
    return true;
  }
};

}  // namespace

std::string first_bad_activation(const Transformer<float>& model,
                                 const Activations<float>& activations, const Batch<float>& batch) {
  const ParameterStore<float>& parameters = model.parameters();
  for (const ParameterEntry& entry : parameters.entries()) {
    if (!all_finite(parameters.values().subspan(entry.offset, entry.count))) return entry.name;
  }
  TensorId first = std::numeric_limits<TensorId>::max();
  std::string path;
  for (int s = 0; s < batch.head_layout(model.config()).sequences(); ++s) {
    Search search(s, first);
    model.describe(search, activations, batch);
    if (search.found == first) continue;
    first = search.found;
    path = search.found_path;
  }
  return path;
}

std::string first_bad_gradient(const Transformer<float>& model) {
  const auto& entries = model.parameters().entries();
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    const auto gradient = model.parameters().gradients().subspan(entry->offset, entry->count);
    if (!all_finite(gradient)) return "gradient of " + entry->name;
  }
  return {};
}

}  // namespace tp
