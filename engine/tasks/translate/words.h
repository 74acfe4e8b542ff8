#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/tasks/vocabulary.h"

// The words of `translate`, and what each may be used for.

namespace tp::translate {

enum class NounKind { pronoun, person, animal, thing, place };

struct Noun {
  NounKind kind;
  std::string_view korean;
  std::string_view english;
  std::string_view other;        // pronouns: the object form; people and animals: the plural
  bool takes_adjective = false;  // in English and in Korean
  bool takes_article = true;

  bool is_pronoun() const { return kind == NounKind::pronoun; }
  bool is_human() const { return is_pronoun() || kind == NounKind::person; }
  bool has_plural() const { return kind == NounKind::person || kind == NounKind::animal; }
};
std::span<const Noun> nouns();

// The number of a noun, which must be one.
int noun(std::string_view korean);

// Nouns as bits of a number.
using NounSet = std::uint32_t;
constexpr bool contains(NounSet set, int noun) { return (set >> noun & 1) != 0; }

enum class Tense { past, present, future };
inline constexpr int kTenses = 3;

enum class Adverb { none, often, quickly, again };
inline constexpr int kAdverbs = 4;

struct Verb {
  std::string_view korean[kTenses];                // by tense; the last one before 것이다
  std::string_view base, third_person, past_form;  // English
  bool human_subject;                              // otherwise animals too
  NounSet objects;                                 // empty: takes none; otherwise one is required
  NounSet places;
  bool place_is_goal;  // the place is required, and marked by 에 instead of 에서
  bool takes_time;
  std::string_view adverbs;  // those it takes, as Korean words separated by spaces

  bool takes(Adverb adverb) const;
};
std::span<const Verb> verbs();
int verb(std::string_view korean_present);

struct Pair {
  std::string_view korean, english;
};
inline constexpr Pair kAdjectives[] = {{"큰", "big"}, {"작은", "small"}};
inline constexpr int kAdjectiveCount = 2;
inline constexpr Pair kAdverbWords[kAdverbs] = {
    {"", ""}, {"자주", "often"}, {"빨리", "quickly"}, {"다시", "again"}};
// By tense. "every day" is two tokens.
inline constexpr Pair kTimes[kTenses] = {
    {"어제", "yesterday"}, {"매일", "every"}, {"내일", "tomorrow"}};

// After a final consonant, after a vowel.
struct Particle {
  std::string_view after_consonant, after_vowel;
};
inline constexpr Particle kTopic = {"은", "는"}, kSubject = {"이", "가"}, kObject = {"을", "를"};
inline constexpr std::string_view kTo = "에", kAt = "에서", kPlural = "들", kNot = "안",
                                  kWill = "것이다";

Vocabulary korean_vocabulary();
Vocabulary english_vocabulary();

}  // namespace tp::translate
