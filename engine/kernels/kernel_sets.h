#pragma once

#include "engine/kernels/kernels.h"

// Each source file of a set puts its operations into the table.

namespace tp {

template <class T>
void add_reference_products(Kernels<T>& table);
template <class T>
void add_reference_rows(Kernels<T>& table);
template <class T>
void add_reference_elements(Kernels<T>& table);

template <class T>
void add_fast_products(Kernels<T>& table);
template <class T>
void add_fast_rows(Kernels<T>& table);
template <class T>
void add_fast_elements(Kernels<T>& table);

}  // namespace tp
