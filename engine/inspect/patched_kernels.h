#pragma once

#include <vector>

#include "engine/kernels/kernels.h"

// A kernel set that moves one number of a forward pass: whichever operation writes it, what reads
// it afterwards reads it moved. ReLU goes on as it did in the first pass, each unit on or off: the
// loss has a bend where one of hundreds turns, and the derivative is that of the piece before it.

namespace tp {

struct Patch {
  const Kernels<float>* kernels = nullptr;  // that do the work
  const float* place = nullptr;             // of the number
  int write = 0;                            // after so many writes to its place ...
  float delta = 0;                          // ... it is moved by so much
  // Of the pass under way.
  int writes = 0;             // so far
  std::size_t units = 0;      // of ReLU, so far
  std::vector<bool> on = {};  // of the first pass: which units are on
};

// Of a model that runs its passes on this thread, each in a PatchScope.
const Kernels<float>& patched_kernels();

class PatchScope {
 public:
  explicit PatchScope(Patch& patch);
  ~PatchScope();
  PatchScope(const PatchScope&) = delete;
  PatchScope& operator=(const PatchScope&) = delete;
};

}  // namespace tp
