#pragma once

#include "bench/case.h"

namespace tp::bench {

// Multiplications and additions alone, out of registers into registers: what no product of this
// machine can exceed, whatever the width of its vectors.
Work peak_work(Arithmetic arithmetic);

}  // namespace tp::bench
