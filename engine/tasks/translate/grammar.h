#pragma once

#include <optional>
#include <span>
#include <string>

#include "engine/tasks/task.h"
#include "engine/tasks/translate/words.h"

// Sentences that mean the same in Korean and in English.
//
//   phrase  := [adjective] noun [들]
//   topic   := subject 은|는 [time] [place 에|에서] [object 을|를] [adverb] [안] verb [것이다]
//   subject := [time] subject 이|가 [place 에|에서] [object 을|를] [adverb] [안] verb [것이다]
//   object  := object 을|를 subject 이|가 [안] verb [것이다]
//   English := subject [will|do|does|did] [not] [often] verb [object] [to place] [quickly|again]
//              [at place] [time]

namespace tp::translate {

struct Phrase {
  int noun = -1;
  int adjective = -1;
  bool plural = false;

  bool present() const { return noun >= 0; }
  bool operator==(const Phrase&) const = default;
};

// What the Korean sentence opens with (after a time).
enum class Opening { topic, subject, object };
inline constexpr int kOpenings = 3;

struct Sentence {
  Opening opening = Opening::topic;
  int verb = 0;
  Tense tense = Tense::present;
  bool negated = false;
  bool timed = false;  // the tense says which time
  Adverb adverb = Adverb::none;
  Phrase subject, object, place;

  bool operator==(const Sentence&) const = default;
};

// Whether subject and object (or the goal, with a verb that has one) go with the verb and with each
// other.
bool fits(int verb, int subject, int object_or_goal);

// Whether every rule of the grammar is kept.
bool is_grammatical(const Sentence& sentence);

// Korean into example.source, English into example.target, and the true links. The sentence must be
// grammatical.
void write(const Sentence& sentence, const Vocabulary& korean, const Vocabulary& english,
           Example& example);

// Korean as people write it: particles and 들 join the word before.
std::string written(std::span<const int> tokens, const Vocabulary& korean);

// The sentence that is written in these tokens, if they are one.
std::optional<Sentence> understand(std::span<const int> tokens, const Vocabulary& korean);

}  // namespace tp::translate
