#include "engine/kernels/kernels.h"

#include "engine/kernels/kernel_sets.h"

namespace tp {

template <class T>
const Kernels<T>& reference_kernels() {
  static const Kernels<T> table = [] {
    Kernels<T> set{};
    set.name = "reference";
    add_reference_products(set);
    add_reference_rows(set);
    add_reference_elements(set);
    return set;
  }();
  return table;
}

template <class T>
const Kernels<T>& fast_kernels() {
  static const Kernels<T> table = [] {
    Kernels<T> set{};
    set.name = "fast";
    add_fast_products(set);
    add_fast_rows(set);
    add_fast_elements(set);
    return set;
  }();
  return table;
}

template const Kernels<float>& reference_kernels();
template const Kernels<double>& reference_kernels();
template const Kernels<float>& fast_kernels();
template const Kernels<double>& fast_kernels();

}  // namespace tp
