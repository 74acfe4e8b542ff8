#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/kernels/kernels.h"

// One table of things that can be computed and differentiated: operations, layers, whole models.
// The table drives the comparison of the kernel sets, the gradient check and the benchmark, so that
// whatever is added to it gets all of them.

namespace tp::test {

// Numbers that the result depends on, and where their gradient appears.
template <class T>
struct Variable {
  std::string name;
  std::span<T> value;
  std::span<const T> gradient;
};

template <class T>
class Subject {
 public:
  virtual ~Subject() = default;
  // One number that depends on every variable; the same one when asked again.
  virtual T forward() = 0;
  // After forward: the gradient of that number, for every variable.
  virtual void backward() = 0;
  virtual std::vector<Variable<T>> variables() = 0;
  // What forward computed on the way to that number.
  virtual std::span<const T> output() = 0;
};

struct SubjectEntry {
  std::string name;  // operation.*, layer.* or model.*
  std::function<std::unique_ptr<Subject<float>>(const Kernels<float>&, std::uint64_t seed)>
      in_float;
  std::function<std::unique_ptr<Subject<double>>(const Kernels<double>&, std::uint64_t seed)>
      in_double;

  template <class T>
  std::unique_ptr<Subject<T>> make(const Kernels<T>& kernels, std::uint64_t seed) const {
    if constexpr (std::is_same_v<T, float>) {
      return in_float(kernels, seed);
    } else {
      return in_double(kernels, seed);
    }
  }
};

// `make` takes either type of kernels: [](const auto& kernels, std::uint64_t seed).
template <class Make>
SubjectEntry entry(std::string name, Make make) {
  return {std::move(name), make, make};
}

void add_operations(std::vector<SubjectEntry>& table);
void add_layers(std::vector<SubjectEntry>& table);
void add_models(std::vector<SubjectEntry>& table);

const std::vector<SubjectEntry>& subjects();

}  // namespace tp::test
