#include "imgui_app/strings/korean_texts.h"

namespace tp::ui {

const char* korean_text(std::size_t index) {
  static constexpr const char* kTexts[] = {
#define TP_TEXT(name, english, korean) korean,
#include "imgui_app/strings/table.inc"
#undef TP_TEXT
  };
  return kTexts[index];
}

}  // namespace tp::ui
