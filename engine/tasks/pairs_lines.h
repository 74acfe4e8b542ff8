#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/tasks/registry.h"
#include "engine/text/tokenizer.h"

// The lines of `pairs`: source, a tab, target.

namespace tp {

struct PairLine {
  std::size_t number;          // from 1 on
  std::string source, target;  // as pair_side() gives them
};

// A side of a line, or what is typed: two that have the same tokens are the same text.
std::string pair_side(std::string_view text, TokenizerKind kind);

// The first few lines that are not right are named. Empty lines are none.
Result<std::vector<PairLine>> read_pair_lines(const TaskData& data, TokenizerKind kind);

}  // namespace tp
