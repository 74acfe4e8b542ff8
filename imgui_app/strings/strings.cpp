#include "imgui_app/strings/strings.h"

#include <algorithm>
#include <array>

#include "engine/core/check.h"
#include "imgui_app/strings/korean_texts.h"

namespace tp::ui {
namespace {

struct Entry {
  std::string_view name;
  const char* english;
};

constexpr Entry kTable[] = {
#define TP_TEXT(name, english, korean) {#name, english},
#include "imgui_app/strings/table.inc"
#undef TP_TEXT
};

bool in_name(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

// The engine speaks of settings by their names (max_length), as flags spell them. Here they are
// called what stands beside their controls.
std::string with_labels(std::string_view sentence, Language language) {
  const std::string_view open = language == Language::kKorean ? "‘" : "\"";
  const std::string_view close = language == Language::kKorean ? "’" : "\"";
  std::string result;
  while (!sentence.empty()) {
    const auto end = std::ranges::find_if_not(sentence, in_name);
    const auto length = std::max<std::ptrdiff_t>(end - sentence.begin(), 1);
    const std::string word(sentence.substr(0, static_cast<std::size_t>(length)));
    const std::optional<Text> label =
        word.find('_') == std::string::npos ? std::nullopt : text_named("setting_" + word);
    result += label ? std::string(open) + tr(*label, language) + std::string(close) : word;
    sentence.remove_prefix(word.size());
  }
  return result;
}

}  // namespace

const char* tr(Text text, Language language) {
  const auto index = static_cast<size_t>(text);
  const char* korean = language == Language::kKorean ? korean_text(index) : nullptr;
  return korean != nullptr ? korean : kTable[index].english;
}

std::optional<Text> text_named(std::string_view name) {
  for (size_t i = 0; i < std::size(kTable); ++i) {
    if (kTable[i].name == name) return static_cast<Text>(i);
  }
  return std::nullopt;
}

std::string_view title_of(const SeriesInfo& info, Language language) {
  return language == Language::kKorean ? info.korean_title : info.english_title;
}

std::optional<std::string_view> named_text(std::string_view name, Language language) {
  constexpr std::string_view kLabel = "setting_show_", kHelp = "help_show_";
  if (const std::optional<Text> text = text_named(name)) return tr(*text, language);
  const bool label = name.starts_with(kLabel);
  if (!label && !name.starts_with(kHelp)) return std::nullopt;
  const SeriesInfo* info = series_info(name.substr((label ? kLabel : kHelp).size()));
  if (info == nullptr) return std::nullopt;
  if (label) return title_of(*info, language);
  return language == Language::kKorean ? info->korean : info->english;
}

std::string fill(std::string_view text, std::initializer_list<std::string_view> values) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool place = text[i] == '{' && i + 2 < text.size() && text[i + 2] == '}';
    if (!place) {
      result.push_back(text[i]);
      continue;
    }
    const auto index = static_cast<size_t>(text[i + 1] - '0');
    TP_CHECK(index < values.size(), "a text names a value that was not given");
    result += values.begin()[index];
    i += 2;
  }
  return result;
}

std::string in_language(const Sentence& sentence, Language language) {
  const bool korean = language == Language::kKorean && !sentence.korean.empty();
  std::string text = with_labels(korean ? sentence.korean : sentence.english, language);
  // A word begins with a capital; the name of a quantity (d_model) stays as it is.
  const std::size_t word = std::min(text.find(' '), text.size());
  const bool plain = std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(word),
                                 [](char c) { return c >= 'a' && c <= 'z'; });
  if (plain && word > 0) {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

std::string all_texts(Language language) {
  std::string result;
  for (size_t i = 0; i < std::size(kTable); ++i) result += tr(static_cast<Text>(i), language);
  for (const SeriesInfo& info : all_series()) {
    result += title_of(info, language);
    result += language == Language::kKorean ? info.korean : info.english;
  }
  return result;
}

}  // namespace tp::ui
