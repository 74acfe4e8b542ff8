#pragma once

#include "engine/kernels/kernels.h"

// Each source file of the reference set puts its operations into the table. (The fast set has
// fast_set.h.)

namespace tp {

template <class T>
void add_reference_products(Arithmetic arithmetic, Kernels<T>& table);
template <class T>
void add_reference_rows(Kernels<T>& table);
template <class T>
void add_reference_elements(Kernels<T>& table);

}  // namespace tp
