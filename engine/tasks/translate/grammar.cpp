#include "engine/tasks/translate/grammar.h"

#include <algorithm>
#include <utility>

namespace tp::translate {
namespace {

bool phrase_is_right(const Phrase& phrase) {
  if (!phrase.present()) return phrase == Phrase{};
  const Noun& noun = nouns()[phrase.noun];
  return (phrase.adjective < 0 || noun.takes_adjective) && (!phrase.plural || noun.has_plural());
}

bool place_is_right(const Sentence& sentence) {
  const Verb& verb = verbs()[sentence.verb];
  if (!sentence.place.present()) return !verb.place_is_goal;
  if (!contains(verb.places, sentence.place.noun)) return false;
  // Animals stay in the park, and may walk to the market.
  if (nouns()[sentence.subject.noun].kind != NounKind::animal) return true;
  const std::string_view name = nouns()[sentence.place.noun].korean;
  return name == "공원" || (verb.place_is_goal && name == "시장");
}

bool adverb_is_right(const Sentence& sentence) {
  if (sentence.adverb == Adverb::none) return true;
  if (sentence.negated || !verbs()[sentence.verb].takes(sentence.adverb)) return false;
  if (sentence.adverb == Adverb::often) {
    return sentence.tense == Tense::present && !sentence.timed;
  }
  return sentence.adverb != Adverb::again || sentence.tense != Tense::present;
}

bool opening_is_right(const Sentence& sentence) {
  if (sentence.opening == Opening::topic) return true;
  if (nouns()[sentence.subject.noun].is_pronoun()) return false;
  if (sentence.opening == Opening::subject) return true;
  return sentence.object.present() && !nouns()[sentence.object.noun].is_pronoun() &&
         !sentence.place.present() && !sentence.timed && sentence.adverb == Adverb::none;
}

}  // namespace

bool fits(int verb_number, int subject, int object_or_goal) {
  const Verb& verb = verbs()[verb_number];
  const Noun& who = nouns()[subject];
  const bool may_act = who.is_human() || (who.kind == NounKind::animal && !verb.human_subject);
  if (!may_act || object_or_goal < 0) return false;
  if (verb.place_is_goal) {
    Sentence going;
    going.verb = verb_number;
    going.subject.noun = subject;
    going.place.noun = object_or_goal;
    return place_is_right(going);
  }
  if (!contains(verb.objects, object_or_goal) || subject == object_or_goal) return false;
  const auto one_of_us = [](int number) {
    return nouns()[number].korean == "나" || nouns()[number].korean == "우리";
  };
  return !(one_of_us(subject) && one_of_us(object_or_goal));
}

bool is_grammatical(const Sentence& sentence) {
  const Verb& verb = verbs()[sentence.verb];
  const Phrase &subject = sentence.subject, &object = sentence.object, &place = sentence.place;
  if (!phrase_is_right(subject) || !phrase_is_right(object) || !phrase_is_right(place)) {
    return false;
  }
  const int adjectives =
      (subject.adjective >= 0) + (object.adjective >= 0) + (place.adjective >= 0);
  if (adjectives > 1 || !subject.present()) return false;
  if (verb.place_is_goal && object.present()) return false;
  if (!fits(sentence.verb, subject.noun, verb.place_is_goal ? place.noun : object.noun)) {
    return false;
  }
  if (sentence.timed && !verb.takes_time) return false;
  if (sentence.timed && sentence.negated && sentence.tense == Tense::present) return false;
  return place_is_right(sentence) && adverb_is_right(sentence) && opening_is_right(sentence);
}

std::optional<Sentence> understand(std::span<const int> tokens, const Vocabulary& korean) {
  Sentence sentence;
  Phrase phrase;  // the one being read, until its particle tells what it is
  bool has_verb = false;
  for (int id : tokens) {
    const std::string_view word = korean.word(id);
    const auto is = [word](const Particle& particle) {
      return word == particle.after_consonant || word == particle.after_vowel;
    };
    for (int i = 0; i < static_cast<int>(nouns().size()); ++i) {
      if (word == nouns()[i].korean) phrase.noun = i;
    }
    for (int i = 0; i < kAdjectiveCount; ++i) {
      if (word == kAdjectives[i].korean) phrase.adjective = i;
    }
    if (word == kPlural) phrase.plural = true;
    if (is(kTopic) || is(kSubject)) {
      sentence.opening = is(kTopic)                  ? Opening::topic
                         : sentence.object.present() ? Opening::object
                                                     : Opening::subject;
      sentence.subject = std::exchange(phrase, {});
    }
    if (is(kObject)) sentence.object = std::exchange(phrase, {});
    if (word == kTo || word == kAt) sentence.place = std::exchange(phrase, {});
    for (const Pair& time : kTimes) sentence.timed |= word == time.korean;
    for (int i = 1; i < kAdverbs; ++i) {
      if (word == kAdverbWords[i].korean) sentence.adverb = static_cast<Adverb>(i);
    }
    if (word == kNot) sentence.negated = true;
    for (int i = 0; i < static_cast<int>(verbs().size()); ++i) {
      for (int tense = 0; tense < kTenses; ++tense) {
        if (word != verbs()[i].korean[tense]) continue;
        sentence.verb = i;
        sentence.tense = static_cast<Tense>(tense);
        has_verb = true;
      }
    }
  }
  if (!has_verb || !is_grammatical(sentence)) return std::nullopt;
  // Reading took the words in any order and any number; writing does not.
  Example written;
  write(sentence, korean, english_vocabulary(), written);
  const bool same =
      std::equal(tokens.begin(), tokens.end(), written.source.begin(), written.source.end());
  return same ? std::optional(sentence) : std::nullopt;
}

}  // namespace tp::translate
