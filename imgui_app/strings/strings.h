#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "engine/session/snapshot.h"
#include "engine/train/series_list.h"

namespace tp::ui {

enum class Language { kEnglish, kKorean };

// Every text that a person can see, by name; imgui_app/strings/table.inc holds both languages.
enum class Text {
#define TP_TEXT(name, english, korean) name,
#include "imgui_app/strings/table.inc"
#undef TP_TEXT
};

const char* tr(Text text, Language language);

// For texts that belong to a table entry: the label of setting `theme` is named setting_theme.
std::optional<Text> text_named(std::string_view name);
// The same in a language. The switch of a curve, show_<series>, takes its label and its explanation
// from the list of series, where the table has none for it.
std::optional<std::string_view> named_text(std::string_view name, Language language);
std::string_view title_of(const SeriesInfo& info, Language language);

// Puts the values in the places {0}, {1}, ... of the text, which differ from language to language.
std::string fill(std::string_view text, std::initializer_list<std::string_view> values);

// What the engine says; English where it says no Korean. Its errors begin in lower case, as they
// follow a program's name on a command line; names of settings become the labels of their controls.
std::string in_language(const Sentence& sentence, Language language);

// All texts in a row: the characters that the interface fonts must be able to draw at once.
std::string all_texts(Language language);

}  // namespace tp::ui
