#pragma once

#include <string>
#include <vector>

#include "engine/model/block.h"

// Blocks on top of each other, and the norm at their end:
//
//   x_0 = x      x_{i+1} = block_i(x_i, memory)      output = norm(x_L), or x_L without a final
//   norm

namespace tp {

// How much of a pass stays in memory.
//   kept        everything, to look at
//   shared      what backward reads, to train: each step is written over what is not needed any
//               more, and layers write their gradients of activations over each other's
//   recomputed  and their activations too: of each layer only the output stays, and backward runs
//               its forward pass again (gradient checkpointing). The bits are the same.
enum class GradientMemory { shared, kept, recomputed };

template <class T>
class Stack {
 public:
  struct Cache {
    std::vector<typename Block<T>::Cache> layers;
    typename Norm<T>::Cache norm;
    Matrix<T> normed;       // empty without a final norm
    ConstMatrix<T> output;  // normed, or the last layer's output

    // What forward was given, for backward to run it again.
    bool recomputes = false;
    ConstMatrix<T> input, memory;
    DropoutRun run;

    Matrix<T> d_normed_input;  // of the final norm
  };

  // `name` is "encoder" or "decoder"; so many layers of the model stand `above` the stack.
  Stack(LayerBuilder<T>& builder, const std::string& name, int layers, int above, BlockKind kind);

  // memory_layout: of the memory, for blocks that read one.
  void prepare(Arena& arena, const DropoutRun& run, GradientMemory memory, Cache& cache,
               const SequenceLayout& layout, const SequenceLayout* memory_layout) const;
  void prepare_gradients(Arena& arena, GradientMemory memory, Cache& cache) const;

  // To cache.output, a layer at a time, from the first to the last, which the final norm belongs
  // to.
  void begin_forward(const DropoutRun& run, Cache& cache, ConstMatrix<T> x,
                     ConstMatrix<T> memory) const;
  void forward_layer(int i, Cache& cache) const;
  // The other way round, to the d_input of the first layer. Each layer adds its part to d_memory.
  void backward_layer(int i, Cache& cache, ConstMatrix<T> d_output, Matrix<T> d_memory) const;

  TensorId describe(PassVisitor<T>& visitor, const Cache& cache, TensorId x, TensorId memory,
                    ConstMatrix<T> d_output) const;
  double operations(int tokens, int memory_tokens, Cells cells) const;

  // Decoding token by token.
  struct Past {
    std::vector<typename Block<T>::Past> layers;
    std::vector<typename Block<T>::MemoryRows> memory;  // that each sequence reads
    Matrix<T> spare;                                    // to reorder with
    Matrix<T> outputs[2], normed;
    typename Norm<T>::Cache norm;
    int length = 0;  // tokens of each sequence so far
  };
  // What is left of the arena after this is scratch memory for step().
  void prepare_past(Arena& arena, int sequences, int longest, int memory_rows, Past& past) const;
  void read_memory(ConstMatrix<T> memory, Past& past) const;
  // Appends x [sequences, d] and gives the stack's output for it.
  ConstMatrix<T> step(Arena& scratch, ConstMatrix<T> x, Past& past) const;
  // Sequence i becomes a copy of what sequence origins[i] was.
  void reorder(std::span<const int> origins, Past& past) const;

  const std::vector<Block<T>>& layers() const { return layers_; }
  const std::optional<Norm<T>>& norm() const { return norm_; }  // the final one
  int depth() const { return static_cast<int>(layers_.size()); }

 private:
  void compute_layer(int i, Cache& cache) const;

  std::string name_;
  int d_model_;
  std::vector<Block<T>> layers_;
  std::optional<Norm<T>> norm_;
};

}  // namespace tp
