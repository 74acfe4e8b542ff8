#include "engine/model/parameters.h"

#include <algorithm>

#include "engine/core/maths.h"
#include "engine/core/rng.h"

namespace tp {

template <class T>
ParameterStore<T>::ParameterStore(const ParameterList& list, bool with_numbers)
    : aliases_(list.aliases) {
  for (const ParameterSpec& spec : list.specs) {
    std::size_t count = 1;
    for (int size : spec.shape) count *= static_cast<std::size_t>(size);
    entries_.push_back({spec, count_, count});
    count_ += count;
  }
  const auto lay_out = [this] {
    for (std::span<T>& block : blocks_) block = memory_.array<T>(count_);
  };
  lay_out();
  if (!with_numbers) return;
  memory_ = Arena(memory_.used());
  lay_out();
  for (const std::span<T> block : blocks_) std::ranges::fill(block, T(0));
}

template <class T>
const ParameterEntry* ParameterStore<T>::find(std::string_view name) const {
  for (const ParameterAlias& alias : aliases_) {
    if (alias.name == name) name = alias.entry;
  }
  const auto at = std::find_if(entries_.begin(), entries_.end(),
                               [&](const ParameterEntry& entry) { return entry.name == name; });
  return at == entries_.end() ? nullptr : &*at;
}

template <class T>
Parameter<T> ParameterStore<T>::get(std::string_view name) {
  const ParameterEntry* entry = find(name);
  if (entry == nullptr) return {};
  const int rows = entry->shape.size() == 2 ? entry->shape[0] : 1;
  const int columns = entry->shape.back();
  const auto place = [&](std::span<T> block) {
    return Matrix<T>(has_numbers() ? block.data() + entry->offset : nullptr, rows, columns);
  };
  return {place(values()), place(gradients()), entry->name};
}

template <class T>
void ParameterStore<T>::initialise(std::uint64_t seed) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const ParameterEntry& entry = entries_[i];
    const std::span<T> tensor = values().subspan(entry.offset, entry.count);
    Rng rng(seed, i);
    switch (entry.initialisation) {
      case Initialisation::xavier: {
        const double bound = maths::sqrt(6.0 / (entry.shape[0] + entry.shape[1]));
        for (T& value : tensor) value = static_cast<T>(rng.uniform(-bound, bound));
        break;
      }
      case Initialisation::embedding: {
        const double deviation = 1 / maths::sqrt(double(entry.shape[1]));
        for (T& value : tensor) value = static_cast<T>(deviation * rng.normal());
        break;
      }
      case Initialisation::zeros:
        std::fill(tensor.begin(), tensor.end(), T(0));
        break;
      case Initialisation::ones:
        std::fill(tensor.begin(), tensor.end(), T(1));
        break;
    }
  }
  for (const std::span<T> block : {gradients(), first_moments(), second_moments()}) {
    std::ranges::fill(block, T(0));
  }
}

template <class T>
void ParameterStore<T>::zero_gradients() {
  std::fill(gradients().begin(), gradients().end(), T(0));
}

template class ParameterStore<float>;
template class ParameterStore<double>;

}  // namespace tp
