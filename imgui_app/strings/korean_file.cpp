#include <string_view>
#include <utility>
#include <vector>

#include "imgui_app/strings/korean_texts.h"
#include "imgui_app/strings/strings.h"

namespace tp::ui {
namespace {

// For the whole life of the page, as the compiled ones are: texts are handed out as pointers.
struct KoreanTexts {
  std::string file;
  std::vector<const char*> by_index;
};
KoreanTexts& korean_texts() {
  static KoreanTexts texts;
  return texts;
}

}  // namespace

const char* korean_text(std::size_t index) {
  const std::vector<const char*>& texts = korean_texts().by_index;
  return index < texts.size() ? texts[index] : nullptr;
}

void read_korean_texts(std::string file) {
  KoreanTexts& texts = korean_texts();
  texts.file = std::move(file);
  std::size_t begin = 0;
  for (std::size_t end; (end = texts.file.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    const std::size_t text = texts.file.find('=', begin) + 1;
    if (text == 0 || text > end) continue;
    texts.file[end] = '\0';
    const auto name = std::string_view(texts.file).substr(begin, text - 1 - begin);
    const std::optional<Text> entry = text_named(name);
    if (!entry) continue;
    const auto index = static_cast<std::size_t>(*entry);
    if (texts.by_index.size() <= index) texts.by_index.resize(index + 1);
    texts.by_index[index] = &texts.file[text];
  }
}

}  // namespace tp::ui
