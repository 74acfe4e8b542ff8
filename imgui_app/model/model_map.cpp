#include "imgui_app/model/model_map.h"

#include <algorithm>

#include "engine/inspect/path_pattern.h"

namespace tp::ui {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The end of the part that begins at `first`: a name, with its number where it has one.
std::size_t end_of_part(std::string_view path, std::size_t first) {
  std::size_t end = std::min(path.find('.', first), path.size());
  if (end + 1 < path.size() && is_digit(path[end + 1])) {
    end = std::min(path.find('.', end + 1), path.size());
  }
  return end;
}

// A block is numbered, as encoder.0, or has the name of its side before its own, as encoder.norm,
// unless tensors follow directly, as in head.logits.
std::size_t end_of_block(std::string_view path) {
  const std::size_t first = end_of_part(path, 0);
  if (first == path.size() || is_digit(path[first - 1])) return first;
  const std::size_t second = end_of_part(path, first + 1);
  return second == path.size() ? first : second;
}

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('.') + 1); }

// in_proj_weight; out_proj.weight, whose last part says too little
std::string parameter_name(std::string_view path) {
  std::size_t first = path.rfind('.');
  const std::string_view last = path.substr(first + 1);
  if (first != path.npos && first > 0 && (last == "weight" || last == "bias")) {
    first = path.rfind('.', first - 1);
  }
  return std::string(path.substr(first + 1));
}

}  // namespace

ModelMap::ModelMap(std::span<const WatchedTensor> tensors) {
  for (const WatchedTensor& tensor : tensors) {
    if (tensor.example >= 0 || tensor.operation.ends_with("parameter")) continue;
    // A gradient follows the tensor that it is of.
    const std::string_view name = last_part(tensor.path);
    if (name.starts_with("d_")) {
      const std::string of =
          tensor.path.substr(0, tensor.path.size() - name.size()) + std::string(name.substr(2));
      if (const int node = find(of); node >= 0) {
        nodes_[static_cast<std::size_t>(node)].has_gradient = true;
        continue;
      }
    }
    set_tensor(nodes_[static_cast<std::size_t>(add(tensor.path))], tensor);
  }
  for (const WatchedTensor& tensor : tensors) {
    if (tensor.operation == "parameter") add_parameter(tensor);
  }
  find_outputs();
  find_sides();
}

// What each part makes: the last of its tensors, if possible more than a number for each token.
void ModelMap::find_outputs() {
  for (const bool any : {true, false}) {
    for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
      const MapNode& tensor = (*this)[i];
      const bool whole = !tensor.parameter && tensor.column_axis != AxisKind::one;
      if (!tensor.is_tensor() || (!any && !whole)) continue;
      for (int at = i; at >= 0; at = (*this)[at].parent) {
        nodes_[static_cast<std::size_t>(at)].output = i;
      }
    }
  }
}

void ModelMap::find_sides() {
  const bool both = std::ranges::any_of(
      nodes_, [](const MapNode& node) { return node.row_axis == AxisKind::target_token; });
  for (const int block : blocks_) {
    MapNode& node = nodes_[static_cast<std::size_t>(block)];
    node.reads = both && (*this)[node.output].row_axis == AxisKind::source_token;
  }
  for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
    MapNode& block = nodes_[static_cast<std::size_t>(block_of(i))];
    if (block.reads) continue;
    for (const std::string& input : (*this)[i].inputs) {
      const int from = find(input);
      block.crosses |= from >= 0 && !(*this)[from].parameter && reads(block_of(from));
    }
  }
}

void ModelMap::set_tensor(MapNode& node, const WatchedTensor& tensor) {
  node.operation = tensor.operation;
  node.row_axis = tensor.row_axis;
  node.column_axis = tensor.column_axis;
  node.rows = tensor.rows;
  node.columns = tensor.columns;
  node.inputs = tensor.inputs;
}

// The node of the path, with those above it.
int ModelMap::add(std::string_view path) {
  int parent = -1;
  for (std::size_t first = 0, end = end_of_block(path);; end = end_of_part(path, first)) {
    const std::string_view whole = path.substr(0, end);
    int node = find(whole);
    if (node < 0) {
      node = static_cast<int>(nodes_.size());
      nodes_.push_back({.path = std::string(whole),
                        .name = std::string(path.substr(first, end - first)),
                        .parent = parent});
      if (parent < 0) {
        blocks_.push_back(node);
      } else {
        MapNode& above = nodes_[static_cast<std::size_t>(parent)];
        above.children.push_back(node);
        nodes_.back().depth = above.depth + 1;
      }
    }
    if (end == path.size()) return node;
    parent = node;
    first = end + 1;
  }
}

// In the smallest part that has all of its users, before the first of them. One that is used at
// both ends of the model is where it is used first.
void ModelMap::add_parameter(const WatchedTensor& tensor) {
  const double count = static_cast<double>(tensor.rows) * tensor.columns;
  parameters_ += count;
  int above = -1, before = -1;
  for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
    const MapNode& user = (*this)[i];
    if (std::ranges::find(user.inputs, tensor.path) == user.inputs.end()) continue;
    if (before < 0) {
      before = i;
      above = user.parent;
      continue;
    }
    if (block_of(i) != block_of(before)) continue;
    const auto holds = [&](int part, int node) {
      while (node >= 0 && node != part) node = (*this)[node].parent;
      return node == part;
    };
    while (!holds(above, i)) above = (*this)[above].parent;
  }
  if (before < 0) return;
  while ((*this)[before].parent != above) before = (*this)[before].parent;
  const int made = static_cast<int>(nodes_.size());
  nodes_.push_back({.path = tensor.path,
                    .name = parameter_name(tensor.path),
                    .parent = above,
                    .depth = (*this)[above].depth + 1,
                    .parameter = true,
                    .has_gradient = true});
  set_tensor(nodes_.back(), tensor);
  nodes_.back().parameters = count;
  std::vector<int>& children = nodes_[static_cast<std::size_t>(above)].children;
  children.insert(std::ranges::find(children, before), made);
  for (int at = above; at >= 0; at = (*this)[at].parent) {
    nodes_[static_cast<std::size_t>(at)].parameters += count;
  }
}

int ModelMap::find(std::string_view path) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].path == path) return static_cast<int>(i);
  }
  return -1;
}

int ModelMap::block_of(int node) const {
  while ((*this)[node].parent >= 0) node = (*this)[node].parent;
  return node;
}

std::vector<int> ModelMap::matches(std::string_view text, std::size_t most) const {
  const std::string pattern = "*" + std::string(text) + "*";
  std::vector<int> found;
  for (std::size_t i = 0; i < nodes_.size() && found.size() < most; ++i) {
    if (nodes_[i].is_tensor() && fits_pattern(nodes_[i].path, pattern)) {
      found.push_back(static_cast<int>(i));
    }
  }
  return found;
}

TensorKind kind_of(std::string_view path) {
  std::string_view name = last_part(path);
  if (name.starts_with("d_")) name.remove_prefix(2);
  const auto within = [&](std::string_view part) { return path.find(part) != path.npos; };
  if (name == "query") return TensorKind::query;
  if (name == "key") return TensorKind::key;
  if (name == "value") return TensorKind::value;
  if (name.ends_with("scores") || name == "position_bias") return TensorKind::scores;
  if (name == "weights" || name == "dropped") return TensorKind::weights;
  if (within("_attn.")) return within("in_proj") ? TensorKind::other : TensorKind::context;
  if (within("feed_forward.") || within(".linear")) return TensorKind::feed_forward;
  if (within("norm")) return TensorKind::norm;
  if (name.starts_with("residual")) return TensorKind::residual;
  return TensorKind::other;
}

bool parse_cell(std::string_view text, int& row, int& column) {
  int* numbers[] = {&row, &column};
  for (int i = 0; i < 2; ++i) {
    std::size_t digits = 0;
    int value = 0;
    while (digits < text.size() && digits < 6 && is_digit(text[digits])) {
      value = 10 * value + (text[digits++] - '0');
    }
    if (digits == 0) return false;
    *numbers[i] = value;
    text.remove_prefix(digits);
    if (i == 0) {
      if (!text.starts_with(',')) return false;
      text.remove_prefix(1);
    }
  }
  return text.empty();
}

}  // namespace tp::ui
