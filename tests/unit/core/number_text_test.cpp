#include "engine/core/number_text.h"

#include <gtest/gtest.h>

namespace tp {
namespace {

TEST(NumberText, SharesHaveADecimalWhereTheyNeedOne) {
  EXPECT_EQ(percent_text(0), "0%");
  EXPECT_EQ(percent_text(0.6), "60%");
  EXPECT_EQ(percent_text(0.29), "29%");  // 1000 times it is a little less than 290
  EXPECT_EQ(percent_text(0.9734), "97.3%");
  EXPECT_EQ(percent_text(0.0004), "0%");
  EXPECT_EQ(percent_text(0.0006), "0.1%");
  EXPECT_EQ(percent_text(0.9994), "99.9%");
  EXPECT_EQ(percent_text(0.9996), "100%");
  EXPECT_EQ(percent_text(1), "100%");
}

TEST(NumberText, MegabytesHoldWhatThereIs) {
  EXPECT_EQ(megabytes(0), 0u);
  EXPECT_EQ(megabytes(1), 1u);
  EXPECT_EQ(megabytes(1u << 20), 1u);
  EXPECT_EQ(megabytes((1u << 20) + 1), 2u);
  EXPECT_EQ(megabytes(std::uint64_t{1} << 43), std::uint64_t{1} << 23);
  EXPECT_EQ(megabytes_text(12u << 20), "12 MB");
}

}  // namespace
}  // namespace tp
