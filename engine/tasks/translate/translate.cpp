#include <algorithm>

#include "engine/core/hash.h"
#include "engine/tasks/registry.h"
#include "engine/tasks/scores.h"
#include "engine/tasks/text_pieces.h"
#include "engine/tasks/translate/grammar.h"
#include "engine/text/hangul.h"

// 나는 학교에 간다 -> I go to school

namespace tp {
namespace {

using namespace translate;

constexpr TaskInfo kInfo = {.name = "translate",
                            .kind = TaskKind::encoder_decoder,
                            .material = Material::none,
                            .summary =
                                "Say it in English: Korean sentences, whose words stand in "
                                "another order."};

// What is held out: who does it, and what is done to whom (or where one goes). A held-out meaning
// is new in every tense and every order of words.
struct Triple {
  int subject, object_or_goal;
  std::uint64_t rank;
};

bool always_held_out(int verb_number, int subject, int other) {
  const auto same = [&](std::string_view v, std::string_view s, std::string_view o) {
    return verb_number == verb(v) && subject == noun(s) && other == noun(o);
  };
  return same("간다", "나", "학교") || same("잡는다", "고양이", "쥐") ||
         same("잡는다", "쥐", "고양이");
}

// The triples of one verb, those to hold out first: the lessons' own sentences, then by content.
std::vector<Triple> ranked_triples(int verb_number) {
  std::vector<Triple> triples;
  const int count = static_cast<int>(nouns().size());
  for (int subject = 0; subject < count; ++subject) {
    for (int other = 0; other < count; ++other) {
      if (!fits(verb_number, subject, other)) continue;
      Hash hash;
      for (int part : {verb_number, subject, other}) hash.add(static_cast<std::uint64_t>(part));
      const bool first = always_held_out(verb_number, subject, other);
      triples.push_back({subject, other, first ? 0 : hash.value()});
    }
  }
  std::sort(triples.begin(), triples.end(),
            [](const Triple& a, const Triple& b) { return a.rank < b.rank; });
  return triples;
}

class TranslateTask final : public Task {
 public:
  TranslateTask() : Task(kInfo) {
    source_ = korean_vocabulary();
    target_ = english_vocabulary();
    sizes_.source = 13;
    sizes_.target = 12;
    for (int v = 0; v < static_cast<int>(verbs().size()); ++v) {
      const std::vector<Triple> triples = ranked_triples(v);
      const std::size_t held_out = (triples.size() + 9) / 10;
      triples_.push_back({.train = {triples.begin() + held_out, triples.end()},
                          .held_out = {triples.begin(), triples.begin() + held_out}});
    }
  }

  void sample(Split split, std::uint64_t seed, std::uint64_t index,
              Example& example) const override {
    Rng rng = example_rng(split, seed, index);
    write(draw(split, rng), source_, target_, example);
  }

  Parsed parse(std::string_view text) const override;
  std::string source_text(const Example& example) const override {
    return written(example.source, source_);
  }
  std::string answer_text(const Answer& answer) const override {
    return target_.join(answer.tokens, " ");
  }
  Metric metric() const override { return {.name = "words_right", .more_is_better = true}; }
  double score(const Answer& expected, const Answer& produced) const override {
    return edit_accuracy(expected.tokens, produced.tokens);
  }

 private:
  struct Triples {
    std::vector<Triple> train, held_out;
  };

  Sentence draw(Split split, Rng& rng) const;

  std::vector<Triples> triples_;  // by verb
};

// The verb first, evenly, then each part; what breaks a rule is drawn again.
Sentence TranslateTask::draw(Split split, Rng& rng) const {
  const auto chance = [&rng] { return rng.below(2) == 1; };
  const auto below = [&rng](int n) { return static_cast<int>(rng.below(n)); };
  Sentence sentence;
  sentence.verb = below(static_cast<int>(verbs().size()));
  const Verb& verb = verbs()[sentence.verb];
  const Triples& sides = triples_[sentence.verb];
  const std::vector<Triple>& triples = split == Split::train ? sides.train : sides.held_out;
  const Triple& triple = triples[below(static_cast<int>(triples.size()))];
  sentence.subject.noun = triple.subject;
  (verb.place_is_goal ? sentence.place : sentence.object).noun = triple.object_or_goal;

  // The rest, until it suits the triple, so that no verb and no triple is drawn less often.
  const Sentence core = sentence;
  do {
    sentence = core;
    sentence.opening = static_cast<Opening>(below(kOpenings));
    sentence.tense = static_cast<Tense>(below(kTenses));
    sentence.negated = chance();
    sentence.subject.plural = chance() && nouns()[sentence.subject.noun].has_plural();
    if (sentence.object.present()) {
      sentence.object.plural = chance() && nouns()[sentence.object.noun].has_plural();
    }
    if (sentence.opening != Opening::object) {
      sentence.timed = verb.takes_time && chance();
      sentence.adverb = static_cast<Adverb>(below(kAdverbs));
      if (!verb.place_is_goal && verb.places != 0 && chance()) {
        const int first_place = noun("학교");
        sentence.place.noun = first_place + below(static_cast<int>(nouns().size()) - first_place);
      }
    }
    Phrase* const phrases[] = {&sentence.subject, &sentence.object, &sentence.place};
    Phrase& described = *phrases[below(3)];
    if (described.present() && chance()) described.adjective = below(kAdjectiveCount);
  } while (!is_grammatical(sentence));
  return sentence;
}

// Cuts a written word into entries of the vocabulary: 학교에 is 학교 and 에. There is never more
// than one way.
bool cut(std::string_view word, const Vocabulary& vocabulary, std::vector<int>& ids) {
  if (word.empty()) return true;
  for (std::size_t length = word.size(); length > 0; --length) {
    const int id = vocabulary.find(word.substr(0, length));
    if (id < 0) continue;
    ids.push_back(id);
    if (cut(word.substr(length), vocabulary, ids)) return true;
    ids.pop_back();
  }
  return false;
}

Parsed TranslateTask::parse(std::string_view text) const {
  const std::string composed = compose_hangul(text);
  std::string_view sentence = trimmed(composed);
  if (sentence.ends_with('.')) sentence = trimmed(sentence.substr(0, sentence.size() - 1));
  Example example;
  for (std::string_view word : split_words(sentence)) {
    if (!cut(word, source_, example.source)) return unknown_word(word, source_);
  }
  if (example.source.empty()) {
    return {Error{"there are no words: type a sentence, for example 나는 학교에 간다.",
                  "낱말이 없습니다. 예를 들어 나는 학교에 간다 처럼 입력해 주십시오."}};
  }
  if (static_cast<int>(example.source.size()) > sizes_.source) {
    return {Error{"the sentence is cut into " + std::to_string(example.source.size()) +
                      " tokens and the longest one known has " + std::to_string(sizes_.source) +
                      ": make it shorter.",
                  "학습한 것보다 긴 문장입니다. 토큰 수: " + std::to_string(example.source.size()) +
                      ", 최대: " + std::to_string(sizes_.source) + ". 줄여 주십시오."}};
  }
  if (const std::optional<Sentence> understood = understand(example.source, source_)) {
    write(*understood, source_, target_, example);
  }
  return {std::move(example)};
}

class TranslateRecipe final : public TaskRecipe {
 public:
  Properties properties() override { return {}; }
  TaskResult make(std::string_view) const {
    return std::unique_ptr<const Task>(std::make_unique<TranslateTask>());
  }
};

}  // namespace

TaskEntry translate_task() { return {kInfo, make_recipe<TranslateRecipe>}; }
TaskMaker translate_maker() { return make_with<TranslateRecipe>; }

}  // namespace tp
