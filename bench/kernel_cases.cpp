#include "bench/case.h"
#include "bench/peak.h"
#include "engine/core/rng.h"

// The products at the shapes that the models Tiny and Small have, and what the processor could do
// at best.

namespace tp::bench {
namespace {

enum class Form { nn, nt, tn };
constexpr const char* kForms[] = {"nn", "nt", "tn"};

// c [m,n] and the depth of its sums.
struct Shape {
  int m, n, depth;
};

struct Product {
  std::vector<float> a, b, c;
};

Work product(Form form, const Shape& shape, const Kernels<float>& kernels) {
  const int m = shape.m, n = shape.n, depth = shape.depth;
  const auto numbers = [](int rows, int columns) {
    Rng rng(1, 0);
    std::vector<float> made(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
    for (float& number : made) number = rng.uniform_float() - 0.5f;
    return made;
  };
  const auto data = std::make_shared<Product>();
  *data = {numbers(m, depth), numbers(depth, n), numbers(m, n)};
  const Matrix<float> c(data->c.data(), m, n);
  Work work;
  work.unit = "product";
  work.flop = 2.0 * m * n * depth;
  switch (form) {
    case Form::nn:
      work.run = [data, c, depth, multiply = kernels.matmul_nn] {
        multiply({data->a.data(), c.rows, depth}, {data->b.data(), depth, c.columns}, c,
                 Update::assign);
      };
      break;
    case Form::nt:
      work.run = [data, c, depth, multiply = kernels.affine] {
        multiply({data->a.data(), c.rows, depth}, {data->b.data(), c.columns, depth}, {}, c);
      };
      break;
    case Form::tn:
      work.run = [data, c, depth, multiply = kernels.matmul_tn] {
        multiply({data->a.data(), depth, c.rows}, {data->b.data(), depth, c.columns}, c,
                 Update::assign);
      };
      break;
  }
  return work;
}

// What a model of these sizes multiplies, forward (nt) and backward (nn, tn): the projections of
// attention, and both halves of the feed-forward.
void add_products(int tokens, int d, int d_ff, std::vector<Case>& cases) {
  const auto add = [&cases](Form form, const Shape& shape) {
    const std::string name = std::string("kernel-") + kForms[static_cast<int>(form)] + "-" +
                             std::to_string(shape.m) + "x" + std::to_string(shape.n) + "x" +
                             std::to_string(shape.depth);
    cases.push_back({name, [form, shape](Arithmetic arithmetic) -> Result<Work> {
                       return product(form, shape, fast_kernels<float>(arithmetic));
                     }});
  };
  for (const auto& [in, out] :
       {std::pair{d, d}, std::pair{d, 3 * d}, std::pair{d, d_ff}, std::pair{d_ff, d}}) {
    add(Form::nt, {tokens, out, in});
    add(Form::nn, {tokens, in, out});
    add(Form::tn, {out, in, tokens});
  }
}

}  // namespace

void add_kernel_cases(std::vector<Case>& cases) {
  cases.push_back({"peak", peak_work});
  add_products(512, 64, 256, cases);
  add_products(1024, 128, 512, cases);
}

}  // namespace tp::bench
