#include "engine/textbook/transformer.h"

#include "engine/textbook/optimiser.h"

// The textbook is written for any type of number. Here it is compiled for two.

namespace tp::textbook {

template float train_sequence(Pass<float>&, const Example<float>&);
template double train_sequence(Pass<double>&, const Example<double>&);
template float train_batch(const Settings&, const Tensors<float>&,
                           const std::vector<Example<float>>&, Tensors<float>&);
template double train_batch(const Settings&, const Tensors<double>&,
                            const std::vector<Example<double>>&, Tensors<double>&);
template double gradient_norm(const Tensors<float>&);
template double gradient_norm(const Tensors<double>&);
template void clip(Tensors<float>&, double);
template void clip(Tensors<double>&, double);
template void update(const Settings&, const Optimiser&, double, double, int, const Tensors<float>&,
                     Tensors<float>&, Tensors<float>&, Tensors<float>&);
template void update(const Settings&, const Optimiser&, double, double, int, const Tensors<double>&,
                     Tensors<double>&, Tensors<double>&, Tensors<double>&);

}  // namespace tp::textbook
