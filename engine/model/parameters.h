#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/arena.h"
#include "engine/layers/parameter.h"

// The flat parameter store. Values, gradients and both of Adam's moments are four parallel blocks;
// whatever treats all parameters alike (a step of Adam, clipping, saving, hashing, the time
// machine) is one pass over a block. Names and shapes are PyTorch's.

namespace tp {

// How a tensor begins.
//   xavier      uniform in +-sqrt(6 / (rows + columns)), as nn.Transformer does; in_proj_weight
//   counts
//               as one [3d, d] matrix
//   embedding   normal with deviation d_model^-1/2, so that sqrt(d_model) times it has deviation 1
//   zeros, ones biases and beta; gamma
enum class Initialisation { xavier, embedding, zeros, ones };

// A parameter as the layer that it belongs to declares it (see LayerBuilder).
struct ParameterSpec {
  std::string name;
  std::vector<int> shape;  // [rows, columns] or [columns]
  Initialisation initialisation;
  std::string layer = {};  // the beginning of its name: "src_embed", "encoder.layers.0", ...
  // Layers that the output is away along the data's way: 0 for the generator, 1 for the last block.
  int depth = 0;
  bool decays = true;  // matrices do; norms, biases and positions are left alone
};

struct ParameterEntry : ParameterSpec {
  std::size_t offset = 0;
  std::size_t count = 0;
};

// Another name for an entry: tied embeddings.
struct ParameterAlias {
  std::string name;
  std::string entry;
};

struct ParameterList {
  std::vector<ParameterSpec> specs;
  std::vector<ParameterAlias> aliases;
};

template <class T>
class ParameterStore {
 public:
  // `with_numbers` false: names and shapes alone, to measure with.
  explicit ParameterStore(const ParameterList& list, bool with_numbers = true);

  const std::vector<ParameterEntry>& entries() const { return entries_; }
  const std::vector<ParameterAlias>& aliases() const { return aliases_; }
  std::size_t count() const { return count_; }
  bool has_numbers() const { return !memory_.measuring(); }

  std::span<T> values() { return blocks_[0]; }
  std::span<T> gradients() { return blocks_[1]; }
  std::span<T> first_moments() { return blocks_[2]; }
  std::span<T> second_moments() { return blocks_[3]; }
  std::span<const T> values() const { return const_cast<ParameterStore*>(this)->values(); }
  std::span<const T> gradients() const { return const_cast<ParameterStore*>(this)->gradients(); }
  std::span<const T> first_moments() const {
    return const_cast<ParameterStore*>(this)->first_moments();
  }
  std::span<const T> second_moments() const {
    return const_cast<ParameterStore*>(this)->second_moments();
  }

  // Null when there is none of that name; aliases count.
  const ParameterEntry* find(std::string_view name) const;
  // Empty when there is none. Its name is valid as long as the store.
  Parameter<T> get(std::string_view name);

  // The starting values of a seed. The stream of each tensor is its place in the list, so no tensor
  // depends on the size of another.
  void initialise(std::uint64_t seed);
  void zero_gradients();

 private:
  std::vector<ParameterEntry> entries_;
  std::vector<ParameterAlias> aliases_;
  std::size_t count_ = 0;
  Arena memory_;
  std::array<std::span<T>, 4> blocks_;  // values, gradients, first and second moments
};

}  // namespace tp
