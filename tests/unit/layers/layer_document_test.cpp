#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace tp {
namespace {

// docs/LAYER.md and docs/TEXTBOOK.md explain code by quoting it. Every quoted line must still be
// there.
void expect_quotes(const std::string& document_path, const std::vector<std::string>& sources) {
  const std::string root = TP_SOURCE_DIR "/";
  std::set<std::string> source;
  std::string line;
  for (const std::string& path : sources) {
    std::ifstream code(root + path);
    ASSERT_TRUE(code.good()) << path;
    while (std::getline(code, line)) source.insert(line);
  }
  std::ifstream document(root + document_path);
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

TEST(LayerDocument, QuotesCodeThatExists) {
  expect_quotes("docs/LAYER.md", {"engine/kernels/reference_rows.cpp"});
}

TEST(TextbookDocument, QuotesCodeThatExists) {
  std::vector<std::string> chapters;
  for (const char* name :
       {"settings", "matrix", "layer", "positions", "attention", "norm", "feed_forward", "block",
        "embedding", "loss", "transformer", "optimiser"}) {
    chapters.push_back(std::string("engine/textbook/") + name + ".h");
  }
  expect_quotes("docs/TEXTBOOK.md", chapters);
}

}  // namespace
}  // namespace tp
