#include "bench/case.h"
#include "bench/eigen_products.h"
#include "bench/peak.h"
#include "engine/core/rng.h"

// The products at the shapes that the models Tiny and Small have, and what the processor could do
// at best.

namespace tp::bench {
namespace {

constexpr const char* kForms[] = {"nn", "nt", "tn"};

struct Product {
  std::vector<float> a, b, c;
};

std::shared_ptr<Product> random_factors(const Shape& shape) {
  const auto numbers = [](int rows, int columns) {
    Rng rng(1, 0);
    std::vector<float> made(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
    for (float& number : made) number = rng.uniform_float() - 0.5f;
    return made;
  };
  const auto [m, n, depth] = shape;
  return std::make_shared<Product>(Product{numbers(m, depth), numbers(depth, n), numbers(m, n)});
}

Work work_of(const Shape& shape) {
  Work work;
  work.unit = "product";
  work.flop = 2.0 * shape.m * shape.n * shape.depth;
  return work;
}

Work product(Form form, const Shape& shape, const Kernels<float>& kernels) {
  const auto data = random_factors(shape);
  const int depth = shape.depth;
  const Matrix<float> c(data->c.data(), shape.m, shape.n);
  Work work = work_of(shape);
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

Work eigen_product(Form form, const Shape& shape) {
  Work work = work_of(shape);
  work.run = [form, shape, data = random_factors(shape), multiply = widest_eigen_product()] {
    multiply(form, shape, data->a.data(), data->b.data(), data->c.data());
  };
  return work;
}

// What a model of these sizes multiplies, forward (nt) and backward (nn, tn): the projections of
// attention, and both halves of the feed-forward. Of each product there is ours and Eigen's.
void add_products(int tokens, int d, int d_ff, std::vector<Case>& cases) {
  const auto add = [&cases](Form form, const Shape& shape) {
    const std::string name = std::string("-") + kForms[static_cast<int>(form)] + "-" +
                             std::to_string(shape.m) + "x" + std::to_string(shape.n) + "x" +
                             std::to_string(shape.depth);
    cases.push_back({"kernel" + name, [form, shape](Arithmetic arithmetic) -> Result<Work> {
                       return product(form, shape, fast_kernels<float>(arithmetic));
                     }});
    cases.push_back({"eigen" + name, [form, shape](Arithmetic) -> Result<Work> {
                       return eigen_product(form, shape);
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

// The kernels know which vectors there are. Eigen adds with fused multiply-adds where it has them.
EigenProduct* widest_eigen_product() {
#if defined(TP_WIDE_VECTORS)
  if (fast_kernels_of<float>(512, Arithmetic::fused) != nullptr) return v512::eigen_product;
  if (fast_kernels_of<float>(256, Arithmetic::fused) != nullptr) return v256::eigen_product;
#endif
  return v128::eigen_product;
}

void add_kernel_cases(std::vector<Case>& cases) {
  cases.push_back({"peak", peak_work});
  add_products(512, 64, 256, cases);
  add_products(1024, 128, 512, cases);
}

}  // namespace tp::bench
