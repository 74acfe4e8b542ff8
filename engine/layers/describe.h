#pragma once

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "engine/layers/parameter.h"
#include "engine/layers/sequence_layout.h"

// How a layer tells what its pass left behind. After a pass it names, in the order of computation,
// each tensor of its cache: what the axes mean, the operation that made it, and from what. It does
// so once, for everyone: the trace, the search for the first bad number, scores of attention.
//
//   TensorId describe(PassVisitor<T>& visitor, const Cache& cache, TensorId x, ...) const;
//
// takes the tensor that the layer reads and gives the one that it makes. A tensor that was written
// over is not described.

namespace tp {

enum class AxisKind {
  source_token,
  target_token,
  feature,         // of d_model, or of a patch
  head_feature,    // of d_model / heads
  hidden_feature,  // of d_ff
  output,          // token of the vocabulary, class or predicted number
  one,             // a single number, or the whole sequence
};
std::string_view name_of(AxisKind kind);

struct Axis {
  AxisKind kind;
  int size;
};

// The number of a tensor in the order of computation, or kNoTensor for one that is not there.
using TensorId = int;
constexpr TensorId kNoTensor = -1;

// What an operation reads: a tensor described before, or a parameter. May be absent.
struct TensorInput {
  TensorInput(TensorId described) : tensor(described) {}  // NOLINT(google-explicit-constructor)
  template <class T>
  TensorInput(const Parameter<T>& used)  // NOLINT(google-explicit-constructor)
      : parameter(used.name), first(used.first) {}

  TensorId tensor = kNoTensor;
  std::string_view parameter;
  int first = 0;  // of a part of a parameter: see Parameter
};

template <class T>
struct DescribedTensor {
  TensorId id;
  std::string_view name;  // the last part of its path
  const char* operation;
  std::span<const TensorInput> inputs;
  Axis rows, columns;
  ConstMatrix<T> values;
  ConstMatrix<T> gradient;  // may be absent; overwritten by others unless everything is kept
};

// What a sublayer made, in a place that belongs to the residual around it. Empty where that wrote
// over it.
template <class T>
struct SublayerOutput {
  ConstMatrix<T> values, gradient;
  bool dropped;  // something of it, by dropout
};

// Shown the tensors of one sequence of the batch.
template <class T>
class PassVisitor {
 public:
  using Inputs = std::initializer_list<TensorInput>;

  explicit PassVisitor(int sequence) : sequence_(sequence) {}
  virtual ~PassVisitor() = default;
  PassVisitor(const PassVisitor&) = delete;
  PassVisitor& operator=(const PassVisitor&) = delete;

  int sequence() const { return sequence_; }

  // The tokens that are the rows of what follows.
  void walk_side(AxisKind tokens, const SequenceLayout& layout) {
    tokens_ = tokens;
    layout_ = &layout;
  }
  AxisKind tokens() const { return tokens_; }

  // One part more of the path: `name`, or `name.index`.
  class Scope {
   public:
    Scope(PassVisitor& visitor, std::string_view name, int index = -1) : visitor_(visitor) {
      TP_CHECK(visitor.depth_ < std::ssize(visitor.steps_), "a path has few parts");
      visitor.steps_[visitor.depth_++] = {name, index};
    }
    ~Scope() { --visitor_.depth_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    PassVisitor& visitor_;
  };

  TensorId tensor(std::string_view name, const char* operation, std::span<const TensorInput> inputs,
                  Axis rows, Axis columns, ConstMatrix<T> values, ConstMatrix<T> gradient = {}) {
    if (values.empty()) return kNoTensor;
    visit({count_, name, operation, inputs, rows, columns, values, gradient});
    return count_++;
  }
  TensorId tensor(std::string_view name, const char* operation, Inputs inputs, Axis rows,
                  Axis columns, ConstMatrix<T> values, ConstMatrix<T> gradient = {}) {
    return tensor(name, operation, std::span(inputs.begin(), inputs.size()), rows, columns, values,
                  gradient);
  }
  // Of [tokens of the batch, columns] the rows of the sequence.
  TensorId rows(std::string_view name, const char* operation, std::span<const TensorInput> inputs,
                AxisKind columns, ConstMatrix<T> values, ConstMatrix<T> gradient = {}) {
    return tensor(name, operation, inputs, {tokens_, layout_->length(sequence_)},
                  {columns, values.columns}, of_sequence(values), of_sequence(gradient));
  }
  TensorId rows(std::string_view name, const char* operation, Inputs inputs, AxisKind columns,
                ConstMatrix<T> values, ConstMatrix<T> gradient = {}) {
    return rows(name, operation, std::span(inputs.begin(), inputs.size()), columns, values,
                gradient);
  }

 protected:
  virtual void visit(const DescribedTensor<T>& tensor) = 0;

  // decoder.1.cross_attn.head.2.<name>
  std::string path(std::string_view name) const {
    std::string text;
    for (int i = 0; i < depth_; ++i) {
      text += steps_[i].name;
      text += '.';
      if (steps_[i].index >= 0) text += std::to_string(steps_[i].index) + '.';
    }
    text += name;
    return text;
  }

 private:
  struct Step {
    std::string_view name;
    int index = -1;
  };

  ConstMatrix<T> of_sequence(ConstMatrix<T> m) const {
    return m.empty() ? m : m.row_range(layout_->begin(sequence_), layout_->length(sequence_));
  }

  int sequence_;
  AxisKind tokens_ = AxisKind::source_token;
  const SequenceLayout* layout_ = nullptr;
  std::array<Step, 6> steps_;
  int depth_ = 0;
  TensorId count_ = 0;
};

}  // namespace tp
