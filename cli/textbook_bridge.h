#pragma once

#include <span>

#include "engine/model/batch.h"
#include "engine/model/parameters.h"
#include "engine/textbook/transformer.h"

// The engine's numbers as the textbook writes them, and back.

namespace tp::cli {

textbook::Settings textbook_settings(const ModelConfig& config);

// `block` is one of the store's: values, gradients or moments.
template <class T>
textbook::Tensors<T> textbook_tensors(const ParameterStore<T>& store, std::span<const T> block);
template <class T>
void store_tensors(const textbook::Tensors<T>& tensors, const ParameterStore<T>& store,
                   std::span<T> block);

// One sequence of a batch.
template <class T>
textbook::Example<T> textbook_example(const ModelConfig& config, const Batch<T>& batch,
                                      int sequence);

}  // namespace tp::cli
