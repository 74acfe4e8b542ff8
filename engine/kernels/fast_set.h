#pragma once

#include "engine/kernels/vector.h"

// The fast set of the width that this source file is compiled for. Each source of the set puts its
// operations into the table.

namespace tp::TP_VECTORS {

template <class T>
void add_fast_products(Arithmetic arithmetic, Kernels<T>& table);
template <class T>
void add_fast_bands(Arithmetic arithmetic, Kernels<T>& table);
template <class T>
void add_fast_rows(Kernels<T>& table);
template <class T>
void add_fast_elements(Kernels<T>& table);

// Null for an arithmetic that this width does not have.
template <class T>
const Kernels<T>* fast_set(Arithmetic arithmetic);

}  // namespace tp::TP_VECTORS
