#include <gtest/gtest.h>

#include <cstdio>

#include "engine/core/hash.h"
#include "tests/gradient/gradient_check.h"

namespace tp::test {
namespace {

class EverySubject : public testing::TestWithParam<SubjectEntry> {};

std::string test_name(const testing::TestParamInfo<SubjectEntry>& info) {
  std::string name = info.param.name;
  for (char& c : name) c = c == '.' ? '_' : c;
  return name;
}

constexpr int kSeeds = 20;

TEST_P(EverySubject, GradientsAgreeWithCentralDifferences) {
  const Kernels<double> kernels = watching_relu(fast_kernels<double>());
  int numbers = 0, shrunk = 0;
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const auto subject = GetParam().make(kernels, seed);
    const GradientReport report = check_gradients(*subject);
    EXPECT_TRUE(passes(report)) << "seed " << seed << ": " << report.worst << " at " << report.where
                                << ", " << report.unresolved << " unresolved";
    numbers += report.numbers;
    shrunk += report.shrunk_steps;
    worst = std::max(worst, report.worst);
  }
  std::printf("  %d gradients, worst relative error %.1e, step shrunk %d times for a ReLU\n",
              numbers, worst, shrunk);
}

// What a set computes, forward and backward, in one number.
template <class T>
std::uint64_t fingerprint(const SubjectEntry& entry, const Kernels<T>& kernels,
                          std::uint64_t seed) {
  const auto subject = entry.make(kernels, seed);
  Hash hash;
  const T result[] = {subject->forward()};
  subject->backward();
  hash.add(std::span<const T>(result)).add(subject->output());
  for (const auto& variable : subject->variables()) hash.add(variable.gradient);
  return hash.value();
}

TEST_P(EverySubject, ReferenceAndFastAgreeBitForBit) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    EXPECT_EQ(fingerprint(GetParam(), reference_kernels<float>(), seed),
              fingerprint(GetParam(), fast_kernels<float>(), seed));
    EXPECT_EQ(fingerprint(GetParam(), reference_kernels<double>(), seed),
              fingerprint(GetParam(), fast_kernels<double>(), seed));
  }
}

INSTANTIATE_TEST_SUITE_P(Table, EverySubject, testing::ValuesIn(subjects()), test_name);

}  // namespace
}  // namespace tp::test
