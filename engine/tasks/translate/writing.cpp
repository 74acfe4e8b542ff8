#include <algorithm>
#include <iterator>

#include "engine/core/check.h"
#include "engine/tasks/translate/grammar.h"
#include "engine/text/hangul.h"

namespace tp::translate {
namespace {

constexpr int kNowhere = -1;

// Where the words of a phrase stand in the Korean sentence.
struct PhrasePlace {
  int adjective = kNowhere, noun = kNowhere, plural = kNowhere;
};

struct Places {
  PhrasePlace subject, object, place;
  int place_particle = kNowhere, time = kNowhere, adverb = kNowhere;
  int not_word = kNowhere, verb = kNowhere, will = kNowhere;
};

class KoreanWriter {
 public:
  KoreanWriter(const Vocabulary& words, Example& example) : words_(words), example_(example) {}

  Places write(const Sentence& sentence) {
    const Verb& verb = verbs()[sentence.verb];
    const int tense = static_cast<int>(sentence.tense);
    Places at;
    const auto time = [&] {
      if (sentence.timed) at.time = say(kTimes[tense].korean);
    };
    const auto object = [&] {
      if (sentence.object.present()) at.object = say(sentence.object, kObject);
    };
    if (sentence.opening == Opening::subject) time();
    if (sentence.opening == Opening::object) object();
    at.subject = say(sentence.subject, sentence.opening == Opening::topic ? kTopic : kSubject);
    if (sentence.opening == Opening::topic) time();
    if (sentence.place.present()) {
      at.place = say(sentence.place);
      at.place_particle = say(verb.place_is_goal ? kTo : kAt);
    }
    if (sentence.opening != Opening::object) object();
    if (sentence.adverb != Adverb::none) {
      at.adverb = say(kAdverbWords[static_cast<int>(sentence.adverb)].korean);
    }
    if (sentence.negated) at.not_word = say(kNot);
    at.verb = say(verb.korean[tense]);
    if (sentence.tense == Tense::future) at.will = say(kWill);
    return at;
  }

 private:
  int say(std::string_view word) {
    const int id = words_.find(word);
    TP_CHECK(id >= 0, "a word is missing in the Korean vocabulary");
    example_.source.push_back(id);
    last_ = word;
    return static_cast<int>(example_.source.size()) - 1;
  }

  PhrasePlace say(const Phrase& phrase) {
    PhrasePlace at;
    if (phrase.adjective >= 0) at.adjective = say(kAdjectives[phrase.adjective].korean);
    at.noun = say(nouns()[phrase.noun].korean);
    if (phrase.plural) at.plural = say(kPlural);
    return at;
  }

  PhrasePlace say(const Phrase& phrase, const Particle& particle) {
    const PhrasePlace at = say(phrase);
    say(ends_in_consonant(last_) ? particle.after_consonant : particle.after_vowel);
    return at;
  }

  const Vocabulary& words_;
  Example& example_;
  std::string_view last_;
};

class EnglishWriter {
 public:
  EnglishWriter(const Vocabulary& words, Example& example) : words_(words), example_(example) {}

  void write(const Sentence& sentence, const Places& at) {
    const Verb& verb = verbs()[sentence.verb];
    const int tense = static_cast<int>(sentence.tense);
    const bool third_person =
        !sentence.subject.plural && !nouns()[sentence.subject.noun].is_pronoun();
    const bool present = sentence.tense == Tense::present, past = sentence.tense == Tense::past;

    say(sentence.subject, at.subject, false);
    if (sentence.tense == Tense::future) {
      say("will", at.will);
    } else if (sentence.negated) {
      say_unscored(past ? "did" : third_person ? "does" : "do", at.verb);
    }
    if (sentence.negated) say("not", at.not_word);
    if (sentence.adverb == Adverb::often) say("often", at.adverb);
    const bool inflected = !sentence.negated;
    say(inflected && past                      ? verb.past_form
        : inflected && present && third_person ? verb.third_person
                                               : verb.base,
        at.verb);
    if (sentence.object.present()) say(sentence.object, at.object, true);
    const auto place = [&] {
      say(verb.place_is_goal ? "to" : "at", at.place_particle);
      say(sentence.place, at.place, false);
    };
    if (verb.place_is_goal) place();
    if (sentence.adverb == Adverb::quickly || sentence.adverb == Adverb::again) {
      say(kAdverbWords[static_cast<int>(sentence.adverb)].english, at.adverb);
    }
    if (!verb.place_is_goal && sentence.place.present()) place();
    if (sentence.timed) {
      say(kTimes[tense].english, at.time);
      if (present) say("day", at.time);
    }
  }

 private:
  void push(std::string_view word) {
    const int id = words_.find(word);
    TP_CHECK(id >= 0, "a word is missing in the English vocabulary");
    example_.target.push_back(id);
  }
  int last() const { return static_cast<int>(example_.target.size()) - 1; }

  void say(std::string_view word, int source) {
    push(word);
    example_.add_link(last(), source);
  }

  // Words that stand for none of the Korean ones.
  void say_unscored(std::string_view word, int source) {
    push(word);
    example_.add_link(last(), source, false);
  }

  void say(const Phrase& phrase, const PhrasePlace& at, bool is_object) {
    const Noun& noun = nouns()[phrase.noun];
    if (!noun.is_pronoun() && noun.takes_article) say_unscored("the", at.noun);
    if (phrase.adjective >= 0) say(kAdjectives[phrase.adjective].english, at.adjective);
    const bool other = noun.is_pronoun() ? is_object : phrase.plural;
    say(other ? noun.other : noun.english, at.noun);
    if (phrase.plural) example_.add_link(last(), at.plural);
  }

  const Vocabulary& words_;
  Example& example_;
};

}  // namespace

void write(const Sentence& sentence, const Vocabulary& korean, const Vocabulary& english,
           Example& example) {
  example.clear();
  const Places at = KoreanWriter(korean, example).write(sentence);
  EnglishWriter(english, example).write(sentence, at);
}

std::string written(std::span<const int> tokens, const Vocabulary& korean) {
  constexpr std::string_view kJoined[] = {kTopic.after_consonant,
                                          kTopic.after_vowel,
                                          kSubject.after_consonant,
                                          kSubject.after_vowel,
                                          kObject.after_consonant,
                                          kObject.after_vowel,
                                          kTo,
                                          kAt,
                                          kPlural};
  std::string text;
  for (int id : tokens) {
    if (korean.is_mark(id) && id != kUnknown) continue;
    const std::string_view word = korean.word(id);
    const bool joins = std::find(std::begin(kJoined), std::end(kJoined), word) != std::end(kJoined);
    if (!text.empty() && !joins) text += ' ';
    text += word;
  }
  return text;
}

}  // namespace tp::translate
