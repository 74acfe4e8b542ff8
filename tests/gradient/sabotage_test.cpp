#include <gtest/gtest.h>

#include <algorithm>

#include "tests/gradient/gradient_check.h"
#include "tests/subjects/composed.h"

// The gradient check is itself checked: every backward kernel is spoilt, one mistake at a time, and
// each mistake must be found.

namespace tp::test {
namespace {

using K = Kernels<double>;
using M = Matrix<double>;
using C = ConstMatrix<double>;
using In = std::span<const double>;
using Out = std::span<double>;

const K& good() { return fast_kernels<double>(); }

void negate(Out x) {
  for (double& value : x) value = -value;
}
void negate(M x) {
  for (int i = 0; i < x.rows; ++i) negate(Out(x.row(i), static_cast<std::size_t>(x.columns)));
}

struct Sabotage {
  const char* name;
  void (*spoil)(K& kernels);
};

const Sabotage kSabotages[] = {
    {"matmul_nn_wrong_sign",
     [](K& k) {
       k.matmul_nn = [](C a, C b, M c, Update u) {
         if (u == Update::add) negate(c);
         good().matmul_nn(a, b, c, u);
         negate(c);
       };
     }},
    {"matmul_nn_loses_last_term",
     [](K& k) {
       k.matmul_nn = [](C a, C b, M c, Update u) {
         good().matmul_nn(a.column_range(0, a.columns - 1), b.row_range(0, b.rows - 1), c, u);
       };
     }},
    {"matmul_tn_forgets_to_add",
     [](K& k) {
       k.matmul_tn = [](C a, C b, M c, Update) {
         good().matmul_tn(a.row_range(0, a.rows - 1), b.row_range(0, b.rows - 1), c, Update::add);
       };
     }},
    {"banded_tn_loses_last_query",
     [](K& k) {
       k.banded_tn = [](C s, C b, double scale, KeyRanges ranges, M y) {
         good().banded_tn(s.row_range(0, s.rows - 1), b.row_range(0, b.rows - 1), scale,
                          ranges.first(ranges.size() - 1), y);
       };
     }},
    {"banded_tn_forgets_scale",
     [](K& k) {
       k.banded_tn = [](C s, C b, double, KeyRanges ranges, M y) {
         good().banded_tn(s, b, 1, ranges, y);
       };
     }},
    {"sum_rows_loses_first_row",
     [](K& k) {
       k.sum_rows = [](C d_y, Out d_bias) {
         good().sum_rows(d_y.row_range(1, d_y.rows - 1), d_bias);
       };
     }},
    {"softmax_backward_drops_the_mean",
     [](K& k) {
       k.softmax_backward = [](C w, C d_w, KeyRanges, M d_s) {
         for (int i = 0; i < w.rows; ++i) {
           for (int j = 0; j < w.columns; ++j) d_s(i, j) = w(i, j) * d_w(i, j);
         }
       };
     }},
    {"softmax_backward_wrong_sign",
     [](K& k) {
       k.softmax_backward = [](C w, C d_w, KeyRanges ranges, M d_s) {
         good().softmax_backward(w, d_w, ranges, d_s);
         negate(d_s);
       };
     }},
    {"layer_norm_backward_ignores_the_statistics",
     [](K& k) {
       k.layer_norm_backward = [](C d_y, C x, In gamma, In mean, In r, M d_x, Out d_gamma,
                                  Out d_beta) {
         good().layer_norm_backward(d_y, x, gamma, mean, r, d_x, d_gamma, d_beta);
         for (int i = 0; i < x.rows; ++i) {
           for (int j = 0; j < x.columns; ++j) d_x(i, j) = r[i] * d_y(i, j) * gamma[j];
         }
       };
     }},
    {"layer_norm_backward_drops_one_mean",
     [](K& k) {
       k.layer_norm_backward = [](C d_y, C x, In gamma, In mean, In r, M d_x, Out d_gamma,
                                  Out d_beta) {
         good().layer_norm_backward(d_y, x, gamma, mean, r, d_x, d_gamma, d_beta);
         for (int i = 0; i < x.rows; ++i) {
           double mean_g = 0;
           for (int j = 0; j < x.columns; ++j) mean_g += d_y(i, j) * gamma[j] / x.columns;
           for (int j = 0; j < x.columns; ++j) d_x(i, j) += r[i] * mean_g;
         }
       };
     }},
    {"layer_norm_backward_wrong_d_gamma",
     [](K& k) {
       k.layer_norm_backward = [](C d_y, C x, In gamma, In mean, In r, M d_x, Out d_gamma,
                                  Out d_beta) {
         good().layer_norm_backward(d_y, x, gamma, mean, r, d_x, d_gamma, d_beta);
         negate(d_gamma);
       };
     }},
    {"layer_norm_backward_forgets_d_beta",
     [](K& k) {
       k.layer_norm_backward = [](C d_y, C x, In gamma, In mean, In r, M d_x, Out d_gamma, Out) {
         good().layer_norm_backward(d_y, x, gamma, mean, r, d_x, d_gamma, {});
       };
     }},
    {"rms_norm_backward_ignores_the_size",
     [](K& k) {
       k.rms_norm_backward = [](C d_y, C x, In gamma, In r, M d_x, Out d_gamma) {
         good().rms_norm_backward(d_y, x, gamma, r, d_x, d_gamma);
         for (int i = 0; i < x.rows; ++i) {
           for (int j = 0; j < x.columns; ++j) d_x(i, j) = r[i] * d_y(i, j) * gamma[j];
         }
       };
     }},
    {"rms_norm_backward_wrong_d_gamma",
     [](K& k) {
       k.rms_norm_backward = [](C d_y, C x, In gamma, In r, M d_x, Out d_gamma) {
         good().rms_norm_backward(d_y, x, gamma, r, d_x, d_gamma);
         negate(d_gamma);
       };
     }},
    {"relu_backward_passes_everything",
     [](K& k) {
       k.relu_backward = [](In d_y, In, Out d_x) {
         std::copy(d_y.begin(), d_y.end(), d_x.begin());
       };
     }},
    {"gelu_backward_drops_the_density",
     [](K& k) {
       k.gelu_backward = [](In d_y, In x, Out d_x) {
         std::vector<double> y(x.size());
         good().gelu(x, y);
         for (std::size_t j = 0; j < x.size(); ++j) d_x[j] = d_y[j] * y[j] / x[j];
       };
     }},
    {"scatter_add_overwrites",
     [](K& k) {
       k.scatter_add = [](C d_y, std::span<const int> ids, double scale, M d_table) {
         for (int i = 0; i < d_y.rows; ++i) {
           for (int j = 0; j < d_y.columns; ++j) d_table(ids[i], j) = scale * d_y(i, j);
         }
       };
     }},
    {"scatter_add_forgets_scale",
     [](K& k) {
       k.scatter_add = [](C d_y, std::span<const int> ids, double, M d_table) {
         good().scatter_add(d_y, ids, 1, d_table);
       };
     }},
    {"rotate_never_turns_back",
     [](K& k) {
       k.rotate = [](C cosine, C sine, double, M x) { good().rotate(cosine, sine, 1, x); };
     }},
    {"cross_entropy_backward_drops_smoothing",
     [](K& k) {
       k.cross_entropy_backward = [](C p, std::span<const int> labels, double, double scale,
                                     M d_logits) {
         good().cross_entropy_backward(p, labels, 0, scale, d_logits);
       };
     }},
    {"cross_entropy_backward_drops_the_label",
     [](K& k) {
       k.cross_entropy_backward = [](C p, std::span<const int>, double, double scale, M d_logits) {
         for (int i = 0; i < p.rows; ++i) {
           for (int j = 0; j < p.columns; ++j) d_logits(i, j) = scale * p(i, j);
         }
       };
     }},
    {"squared_error_backward_drops_the_two",
     [](K& k) {
       k.squared_error_backward = [](In x, In target, double scale, Out d_x) {
         good().squared_error_backward(x, target, scale / 2, d_x);
       };
     }},
};

class EverySabotage : public testing::TestWithParam<Sabotage> {};

// By the entries of the operations or layers, and by a whole model alone: a mistake must not hide
// in the size of a model.
TEST_P(EverySabotage, IsFound) {
  K spoilt = good();
  GetParam().spoil(spoilt);
  const K kernels = watching_relu(spoilt);
  int found_in_parts = 0, found_in_models = 0;
  for (const SubjectEntry& entry : subjects()) {
    const auto subject = entry.make(kernels, 1);
    if (passes(check_gradients(*subject))) continue;
    (entry.name.starts_with("model.") ? found_in_models : found_in_parts) += 1;
    if (found_in_models > 0) break;
  }
  EXPECT_GT(found_in_parts, 0);
  EXPECT_GT(found_in_models, 0);
}

INSTANTIATE_TEST_SUITE_P(Table, EverySabotage, testing::ValuesIn(kSabotages),
                         [](const auto& sabotage) { return std::string(sabotage.param.name); });

// y = relu(x) at 3e-7, closer to the kink than the step: the step is shrunk until both sides agree.
TEST(GradientCheck, ShrinksTheStepAtAKink) {
  const K kernels = watching_relu(good());
  Composed<double> subject(1);
  const auto x = subject.variable("x", 1, 1);
  x.value(0, 0) = 3e-7;
  subject.define(
      1, 1, [&](M y) { kernels.relu(x.values(), y.flat()); },
      [&](C d_y) { kernels.relu_backward(d_y.flat(), x.values(), x.gradients()); });
  const GradientReport report = check_gradients(subject);
  EXPECT_EQ(report.shrunk_steps, 2);  // 1e-5 and 1e-6 reach over the kink, 1e-7 does not
  EXPECT_TRUE(passes(report)) << report.where;
}

// On the kink itself there is no derivative to agree with: that is reported, not passed over.
TEST(GradientCheck, ReportsAKinkItCannotStepAround) {
  const K kernels = watching_relu(good());
  Composed<double> subject(1);
  const auto x = subject.variable("x", 1, 1);
  x.value(0, 0) = 1e-12;
  subject.define(
      1, 1, [&](M y) { kernels.relu(x.values(), y.flat()); },
      [&](C d_y) { kernels.relu_backward(d_y.flat(), x.values(), x.gradients()); });
  const GradientReport report = check_gradients(subject);
  EXPECT_EQ(report.unresolved, 1);
  EXPECT_FALSE(passes(report));
}

}  // namespace
}  // namespace tp::test
