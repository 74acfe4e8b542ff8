#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/session/snapshot.h"

// The model as a tree of blocks, made from the paths of its tensors alone:
//
//   decoder.0                    a block
//     cross_attn                 a part of it
//       in_proj_weight           a parameter, in the smallest part that uses it
//       head.1
//         weights                a tensor
//
// Everything is in the order of computation. Knows no ImGui.

namespace tp::ui {

struct MapNode {
  std::string path, name;  // decoder.0.cross_attn.head.1, head.1; of a parameter its own name
  int parent = -1;         // of the nodes; -1: it is a block
  int depth = 0;           // of a block 0
  std::vector<int> children = {};  // none: it is a tensor
  bool parameter = false;
  bool has_gradient = false;

  // Of a tensor.
  std::string operation = {};
  AxisKind row_axis = AxisKind::one, column_axis = AxisKind::one;
  int rows = 0, columns = 0;
  std::vector<std::string> inputs = {};

  int output = -1;                      // the tensor that a part makes; of a tensor, itself
  double parameters = 0;                // numbers of the parameters in it
  bool reads = false, crosses = false;  // of a block: see ModelMap
  bool is_tensor() const { return children.empty(); }
};

class ModelMap {
 public:
  ModelMap() = default;
  // Of all tensors, parameters and gradients, watched with kWantInputs.
  explicit ModelMap(std::span<const WatchedTensor> tensors);

  bool empty() const { return nodes_.empty(); }
  const std::vector<MapNode>& nodes() const { return nodes_; }
  const MapNode& operator[](int node) const { return nodes_[static_cast<std::size_t>(node)]; }
  const std::vector<int>& blocks() const { return blocks_; }
  double parameters() const { return parameters_; }

  int find(std::string_view path) const;  // -1: it has none
  int block_of(int node) const;
  // Of a block: whether it is of the side that reads, beside one that writes.
  bool reads(int block) const { return (*this)[block].reads; }
  // Of a block that writes: whether it looks at what the other side read.
  bool crosses(int block) const { return (*this)[block].crosses; }

  // The tensors whose path fits the text, as a pattern or as a part of it: at most so many.
  std::vector<int> matches(std::string_view text, std::size_t most) const;

 private:
  int add(std::string_view path);
  void add_parameter(const WatchedTensor& tensor);
  void set_tensor(MapNode& node, const WatchedTensor& tensor);
  void find_outputs();
  void find_sides();

  std::vector<MapNode> nodes_;
  std::vector<int> blocks_;
  double parameters_ = 0;
};

// What a tensor is, for its colour. Others are embeddings, outputs and parameters.
enum class TensorKind : std::uint8_t {
  query,
  key,
  value,
  scores,
  weights,
  context,
  residual,
  norm,
  feed_forward,
  other
};
// Of a tensor or of its gradient.
TensorKind kind_of(std::string_view path);

// The row and column in "3,2"; false when it is none.
bool parse_cell(std::string_view text, int& row, int& column);

}  // namespace tp::ui
