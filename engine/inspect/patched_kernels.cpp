#include "engine/inspect/patched_kernels.h"

namespace tp {
namespace {

thread_local Patch* active = nullptr;

void written(float& number) {
  if (++active->writes == active->write) number += active->delta;
}

// What an operation was given: what it may write is looked at.
void look(const Matrix<float>& m) {
  for (int i = 0; i < m.rows; ++i) {
    if (m.row(i) <= active->place && active->place < m.row(i) + m.columns) {
      written(m.row(i)[active->place - m.row(i)]);
    }
  }
}
void look(const std::span<float>& s) {
  look(Matrix<float>(s.data(), 1, static_cast<int>(s.size())));
}
template <class Other>
void look(const Other&) {}

template <auto kOperation, class... Arguments>
void patched(Arguments... arguments) {
  (active->kernels->*kOperation)(arguments...);
  (look(arguments), ...);
}

void held_relu(std::span<const float> x, std::span<float> y) {
  for (std::size_t j = 0; j < x.size(); ++j, ++active->units) {
    if (active->units == active->on.size()) active->on.push_back(x[j] > 0);
    y[j] = active->on[active->units] ? x[j] : 0.0f;
  }
  look(y);
}

}  // namespace

const Kernels<float>& patched_kernels() {
  static const Kernels<float> table = [] {
    using K = Kernels<float>;
    K made = fast_kernels<float>();
    made.name = "patched";
    made.affine = patched<&K::affine>;
    made.banded_nt = patched<&K::banded_nt>;
    made.banded_nn = patched<&K::banded_nn>;
    made.sum_rows = patched<&K::sum_rows>;
    made.add = patched<&K::add>;
    made.multiply = patched<&K::multiply>;
    made.scale = patched<&K::scale>;
    made.softmax = patched<&K::softmax>;
    made.layer_norm = patched<&K::layer_norm>;
    made.rms_norm = patched<&K::rms_norm>;
    made.relu = held_relu;
    made.gelu = patched<&K::gelu>;
    made.gather = patched<&K::gather>;
    made.rotate = patched<&K::rotate>;
    return made;
  }();
  return table;
}

PatchScope::PatchScope(Patch& patch) {
  patch.writes = 0;
  patch.units = 0;
  active = &patch;
}
PatchScope::~PatchScope() { active = nullptr; }

}  // namespace tp
