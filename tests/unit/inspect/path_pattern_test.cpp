#include "engine/inspect/path_pattern.h"

#include <gtest/gtest.h>

namespace tp::test {
namespace {

TEST(PathPattern, StarsAndQuestionMarks) {
  const char* path = "decoder.1.cross_attn.head.2.weights";
  for (const char* pattern :
       {"decoder.1.cross_attn.head.2.weights", "*", "**", "decoder.*", "*.weights",
        "decoder.?.cross_attn.head.?.weights", "*.head.*.weights", "*cross*2*", "?*s"}) {
    EXPECT_TRUE(fits_pattern(path, pattern)) << pattern;
  }
  for (const char* pattern : {"", "?", "decoder", "*.weight", "encoder.*", "decoder.??.cross_attn*",
                              "*.scores", "*.weights.", "decoder.1.cross_attn.head.2.weights?"}) {
    EXPECT_FALSE(fits_pattern(path, pattern)) << pattern;
  }
  EXPECT_TRUE(fits_pattern("", ""));
  EXPECT_TRUE(fits_pattern("", "*"));
  EXPECT_FALSE(fits_pattern("", "?"));
  EXPECT_TRUE(fits_pattern("a*b", "a*b"));
  EXPECT_FALSE(fits_pattern("a*c", "a*b"));
}

}  // namespace
}  // namespace tp::test
