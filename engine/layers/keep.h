#pragma once

namespace tp {

// How much of a pass a layer leaves behind.
//   everything  each step of it at a place of its own, to look at
//   needed      what backward reads, to train: the other steps are written over
enum class Keep { everything, needed };

}  // namespace tp
