#include "engine/io/parameters_file.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tp {
namespace {

std::vector<Shape> shapes_of(const std::vector<ParameterEntry>& entries) {
  std::vector<Shape> shapes;
  for (const ParameterEntry& entry : entries) {
    shapes.emplace_back(entry.shape.begin(), entry.shape.end());
  }
  return shapes;
}

}  // namespace

template <class T>
Status save_parameters(const std::string& path, const ParameterStore<T>& parameters,
                       const Metadata& metadata) {
  const auto& entries = parameters.entries();
  const std::vector<Shape> shapes = shapes_of(entries);
  std::vector<float> values(parameters.count());
  std::transform(parameters.values().begin(), parameters.values().end(), values.begin(),
                 [](T value) { return static_cast<float>(value); });
  std::vector<TensorToWrite> tensors;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    tensors.push_back(
        tensor_to_write(entries[i].name, shapes[i],
                        std::span(values).subspan(entries[i].offset, entries[i].count)));
  }
  return write_safetensors(path, tensors, with_checksum(tensors, metadata));
}

template <class T>
Status load_parameters(const Safetensors& file, ParameterStore<T>& parameters) {
  const auto& entries = parameters.entries();
  const std::vector<Shape> shapes = shapes_of(entries);
  std::vector<WantedTensor> wanted;
  for (std::size_t i = 0; i < entries.size(); ++i) wanted.push_back({entries[i].name, shapes[i]});
  if (Status status = file.match(wanted); !status) return status;
  for (const ParameterEntry& entry : entries) {
    const Status read = file.read_into(*file.find(entry.name),
                                       parameters.values().subspan(entry.offset, entry.count));
    TP_CHECK(read.ok(), "a tensor that matched could not be read");
  }
  return Done{};
}

template Status save_parameters(const std::string&, const ParameterStore<float>&, const Metadata&);
template Status save_parameters(const std::string&, const ParameterStore<double>&, const Metadata&);
template Status load_parameters(const Safetensors&, ParameterStore<float>&);
template Status load_parameters(const Safetensors&, ParameterStore<double>&);

}  // namespace tp
