#pragma once

#include <string>

#include "engine/core/result.h"
#include "engine/io/safetensors.h"
#include "engine/model/parameters.h"

// A model's parameters as a safetensors file under PyTorch's names, in float32. A tied matrix is
// written once, under the name of its entry.

namespace tp {

template <class T>
Status save_parameters(const std::string& path, const ParameterStore<T>& parameters,
                       const Metadata& metadata = {});

// Replaces all values or, with an error that names what is missing, unknown or of another shape,
// none.
template <class T>
Status load_parameters(const Safetensors& file, ParameterStore<T>& parameters);

}  // namespace tp
