#include "engine/inspect/attribution.h"

#include <algorithm>
#include <string_view>

namespace tp {
namespace {

// What a unit of each number of a tensor adds to the logit: rows [first, first + rows) of it; the
// others add nothing.
struct Direction {
  int first = 0, rows = 0, columns = 0;
  std::vector<double> numbers;

  Direction() = default;
  Direction(int first_row, int row_count, int column_count)
      : first(first_row),
        rows(row_count),
        columns(column_count),
        numbers(static_cast<std::size_t>(row_count) * static_cast<std::size_t>(column_count)) {}

  double* row(int i) { return numbers.data() + std::ptrdiff_t{i} * columns; }
  const double* row(int i) const { return numbers.data() + std::ptrdiff_t{i} * columns; }
};

// Collects the tensors of a pass, then walks back from a logit.
template <class T>
class LogitWalk : public PassVisitor<T> {
 public:
  LogitWalk(const ParameterStore<T>& parameters, int sequence)
      : PassVisitor<T>(sequence), parameters_(parameters) {}

  std::vector<LogitPart> parts_of(int position, int output) {
    auto logits = nodes_.size();
    while (nodes_[--logits].path != "head.logits") {
    }
    const ConstMatrix<T> values = nodes_[logits].values;
    TP_CHECK(position >= 0 && position < values.rows && output >= 0 && output < values.columns,
             "no such logit");
    nodes_[logits].direction = Direction(position, 1, values.columns);
    nodes_[logits].direction.numbers[output] = 1;
    for (auto i = logits + 1; i-- > 0;) {
      if (nodes_[i].direction.rows > 0) step(nodes_[i]);
    }
    std::ranges::reverse(parts_);
    double rest = static_cast<double>(values(position, output));
    for (const LogitPart& part : parts_) rest -= part.value;
    parts_.push_back({PartKind::remainder, "remainder", rest});
    return std::move(parts_);
  }

 private:
  struct Node {
    std::string path;
    std::string_view operation;
    std::vector<TensorInput> inputs;
    ConstMatrix<T> values;
    Direction direction;
  };

  void visit(const DescribedTensor<T>& tensor) override {
    nodes_.push_back({this->path(tensor.name),
                      tensor.operation,
                      {tensor.inputs.begin(), tensor.inputs.end()},
                      tensor.values,
                      {}});
  }

  // From a tensor to what it was made from, or, where that is not linear, to a part of the logit.
  void step(const Node& node) {
    const std::string_view operation = node.operation;
    if (operation == "linear") {
      through_linear(node);
    } else if (operation == "layer norm" || operation == "rms norm") {
      through_norm(node, operation == "layer norm");
    } else if (operation == "add" || operation == "copy") {
      for (const TensorInput& input : node.inputs) hand_to(input, node.direction);
    } else if (operation == "heads side by side") {
      through_heads(node);
    } else if (operation == "mean of the tokens" || operation == "first token") {
      through_pooling(node, operation == "first token");
    } else {
      double sum = 0;
      const Direction& d = node.direction;
      for (int i = 0; i < d.rows; ++i)
        sum += dot(d.row(i), node.values.row(d.first + i), d.columns);
      parts_.push_back({kind_of(operation), node.path, sum});
    }
  }

  static PartKind kind_of(std::string_view operation) {
    // What goes in: tokens, or patches.
    if (operation == "embedding" || operation == "input") return PartKind::embedding;
    if (operation == "position table") return PartKind::positions;
    if (operation == "weights value") return PartKind::attention_head;
    if (operation == "relu" || operation == "gelu") return PartKind::feed_forward;
    return PartKind::other;
  }

  // y = x W^T + b
  void through_linear(const Node& node) {
    const Direction& d_y = node.direction;
    const ConstMatrix<T> weight = parameters_of(node)[0].values;
    add_bias(node);
    Direction d_x(d_y.first, d_y.rows, weight.columns);
    for (int i = 0; i < d_y.rows; ++i) {
      for (int o = 0; o < weight.rows; ++o) {
        const double factor = d_y.row(i)[o];
        if (factor == 0) continue;  // a logit begins with one of many
        for (int k = 0; k < weight.columns; ++k) {
          d_x.row(i)[k] += factor * static_cast<double>(weight(o, k));
        }
      }
    }
    hand_to(node.inputs[0], d_x);
  }

  // y = gamma * (x - mean(x)) * scale + beta, the mean for layer norm alone.
  void through_norm(const Node& node, bool centred) {
    const ConstMatrix<T> scale = nodes_[node.inputs[centred ? 2 : 1].tensor].values;
    const ConstMatrix<T> gamma = parameters_of(node)[0].values;
    add_bias(node);
    Direction d_x = node.direction;
    for (int i = 0; i < d_x.rows; ++i) {
      double mean = 0;
      for (int j = 0; j < d_x.columns; ++j) {
        d_x.row(i)[j] *=
            static_cast<double>(gamma(0, j)) * static_cast<double>(scale(d_x.first + i, 0));
        mean += d_x.row(i)[j] / d_x.columns;
      }
      if (!centred) continue;
      for (int j = 0; j < d_x.columns; ++j) d_x.row(i)[j] -= mean;
    }
    hand_to(node.inputs[0], d_x);
  }

  // Each head has its own columns.
  void through_heads(const Node& node) {
    const Direction& all = node.direction;
    const int width = all.columns / static_cast<int>(node.inputs.size());
    for (std::size_t h = node.inputs.size(); h-- > 0;) {
      Direction part(all.first, all.rows, width);
      for (int i = 0; i < all.rows; ++i) {
        std::copy_n(all.row(i) + static_cast<int>(h) * width, width, part.row(i));
      }
      hand_to(node.inputs[h], part);
    }
  }

  // One row from that of the first token, or from all of them.
  void through_pooling(const Node& node, bool first) {
    const Direction& pooled = node.direction;
    const int rows = first ? 1 : nodes_[node.inputs[0].tensor].values.rows;
    Direction d_x(0, rows, pooled.columns);
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < pooled.columns; ++j) d_x.row(i)[j] = pooled.row(0)[j] / rows;
    }
    hand_to(node.inputs[0], d_x);
  }

  // Products and norms have a weight, and perhaps a bias.
  void add_bias(const Node& node) {
    const std::vector<NamedParameter> parameters = parameters_of(node);
    if (parameters.size() < 2) return;
    const Direction& d = node.direction;
    double sum = 0;
    for (int i = 0; i < d.rows; ++i) sum += dot(d.row(i), parameters[1].values.row(0), d.columns);
    parts_.push_back({PartKind::bias, std::string(parameters[1].name), sum});
  }

  // Every tensor of a stream is read in two places: by a branch and by the sum behind it. The
  // branch ends before it comes here, so there is one direction for each.
  void hand_to(const TensorInput& input, const Direction& direction) {
    if (input.tensor == kNoTensor) return;
    TP_CHECK(nodes_[input.tensor].direction.rows == 0, "a sum reads each of its terms once");
    nodes_[input.tensor].direction = direction;
  }

  struct NamedParameter {
    std::string_view name;
    ConstMatrix<T> values;
  };
  // Those that are there.
  std::vector<NamedParameter> parameters_of(const Node& node) const {
    std::vector<NamedParameter> list;
    for (const TensorInput& input : node.inputs) {
      const ParameterEntry* entry = parameters_.find(input.parameter);
      if (entry == nullptr) continue;
      const int rows = entry->shape.size() == 2 ? entry->shape[0] : 1;
      list.push_back(
          {entry->name, {parameters_.values().data() + entry->offset, rows, entry->shape.back()}});
    }
    return list;
  }

  static double dot(const double* a, const T* b, int count) {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += a[i] * static_cast<double>(b[i]);
    return sum;
  }

  const ParameterStore<T>& parameters_;
  std::vector<Node> nodes_;
  std::vector<LogitPart> parts_;
};

}  // namespace

template <class T>
std::vector<LogitPart> attribute_logit(const Transformer<T>& model,
                                       const Activations<T>& activations, const Batch<T>& batch,
                                       int sequence, int position, int output) {
  TP_CHECK(sequence >= 0 && sequence < batch.head_layout(model.config()).sequences(),
           "no such sequence in the batch");
  TP_CHECK(activations.gradient_memory == GradientMemory::kept,
           "everything is kept only by activations made with GradientMemory::kept");
  LogitWalk<T> walk(model.parameters(), sequence);
  model.describe(walk, activations, batch);
  return walk.parts_of(position, output);
}

template std::vector<LogitPart> attribute_logit(const Transformer<float>&,
                                                const Activations<float>&, const Batch<float>&, int,
                                                int, int);
template std::vector<LogitPart> attribute_logit(const Transformer<double>&,
                                                const Activations<double>&, const Batch<double>&,
                                                int, int, int);

}  // namespace tp
