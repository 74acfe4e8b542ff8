#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>

namespace tp {
namespace {

// docs/LAYER.md explains code by quoting it. Every quoted line must still be there.
TEST(LayerDocument, QuotesCodeThatExists) {
  std::set<std::string> source;
  std::string line;
  std::ifstream code(TP_SOURCE_DIR "/engine/kernels/reference_rows.cpp");
  while (std::getline(code, line)) source.insert(line);
  std::ifstream document(TP_SOURCE_DIR "/docs/LAYER.md");
  ASSERT_TRUE(document.good());
  bool quoting = false;
  int quoted = 0;
  while (std::getline(document, line)) {
    if (line.starts_with("```")) {
      quoting = line == "```cpp";
    } else if (quoting) {
      ++quoted;
      EXPECT_TRUE(source.contains(line)) << line;
    }
  }
  EXPECT_GE(quoted, 10);
}

}  // namespace
}  // namespace tp
