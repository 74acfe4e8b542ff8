#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/core/hash.h"
#include "engine/tasks/registry.h"
#include "engine/tasks/text_pieces.h"
#include "engine/tasks/translate/grammar.h"
#include "engine/text/hangul.h"

namespace tp {
namespace {

using namespace translate;

std::unique_ptr<const Task> make_translate() {
  return std::move(make_task("translate", *find_task("translate")->recipe()).value());
}

std::vector<Phrase> phrases_of(int noun) {
  std::vector<Phrase> phrases;
  for (int adjective = -1; adjective < kAdjectiveCount; ++adjective) {
    phrases.push_back({noun, adjective, false});
    phrases.push_back({noun, adjective, true});
  }
  return phrases;
}

std::vector<Phrase> optional_place() {
  std::vector<Phrase> places = {Phrase{}};
  for (int place = 0; place < static_cast<int>(nouns().size()); ++place) {
    if (nouns()[place].kind != NounKind::place) continue;
    for (const Phrase& phrase : phrases_of(place)) places.push_back(phrase);
  }
  return places;
}

// Calls visit(sentence) for every grammatical sentence, found by trying every one there could be.
template <class Visit>
void for_each_sentence(Visit visit) {
  const int noun_count = static_cast<int>(nouns().size());
  const auto details = [&](Sentence s) {
    for (int opening = 0; opening < kOpenings; ++opening) {
      for (int tense = 0; tense < kTenses; ++tense) {
        for (int flags = 0; flags < 4; ++flags) {
          for (int adverb = 0; adverb < kAdverbs; ++adverb) {
            s.opening = static_cast<Opening>(opening);
            s.tense = static_cast<Tense>(tense);
            s.negated = (flags & 1) != 0;
            s.timed = (flags & 2) != 0;
            s.adverb = static_cast<Adverb>(adverb);
            if (is_grammatical(s)) visit(s);
          }
        }
      }
    }
  };
  for (int v = 0; v < static_cast<int>(verbs().size()); ++v) {
    for (int subject = 0; subject < noun_count; ++subject) {
      for (int other = 0; other < noun_count; ++other) {
        if (!fits(v, subject, other)) continue;
        for (const Phrase& who : phrases_of(subject)) {
          for (const Phrase& what : phrases_of(other)) {
            Sentence s;
            s.verb = v;
            s.subject = who;
            if (verbs()[v].place_is_goal) {
              s.place = what;
              details(s);
            } else {
              s.object = what;
              for (const Phrase& place : optional_place()) {
                s.place = place;
                details(s);
              }
            }
          }
        }
      }
    }
  }
}

bool has_crossing(const Example& example) {
  for (const Link& a : example.links) {
    for (const Link& b : example.links) {
      if (a.scored && b.scored && a.output < b.output && a.source > b.source) return true;
    }
  }
  return false;
}

std::uint64_t fingerprint(const std::vector<int>& ids) {
  Hash hash;
  for (int id : ids) hash.add(static_cast<std::uint64_t>(id));
  return hash.value();
}

// In how many ways a word can be cut into entries of the vocabulary.
int ways_to_cut(std::string_view word, const Vocabulary& vocabulary) {
  if (word.empty()) return 1;
  int ways = 0;
  for (std::size_t length = 1; length <= word.size(); ++length) {
    if (vocabulary.find(word.substr(0, length)) < 0) continue;
    ways += ways_to_cut(word.substr(length), vocabulary);
  }
  return ways;
}

TEST(TranslateTask, HasTheWordsAndSentencesThatWereCounted) {
  const Vocabulary korean = korean_vocabulary(), english = english_vocabulary();
  EXPECT_EQ(korean.size(), 72);
  EXPECT_EQ(english.size(), 80);

  std::map<std::uint64_t, std::uint64_t> english_of;
  std::set<std::uint64_t> english_sentences;
  std::set<std::string, std::less<>> written_words;
  std::set<int> korean_used, english_used;
  std::size_t shortest_in = 99, longest_in = 0, shortest_out = 99, longest_out = 0;
  int without_crossing = 0, ambiguous = 0;
  Example example;
  for_each_sentence([&](const Sentence& sentence) {
    write(sentence, korean, english, example);
    const std::uint64_t meaning = fingerprint(example.target);
    const auto [place, is_new] = english_of.emplace(fingerprint(example.source), meaning);
    ambiguous += !is_new && place->second != meaning;
    english_sentences.insert(meaning);
    shortest_in = std::min(shortest_in, example.source.size());
    longest_in = std::max(longest_in, example.source.size());
    shortest_out = std::min(shortest_out, example.target.size());
    longest_out = std::max(longest_out, example.target.size());
    without_crossing += !has_crossing(example);
    korean_used.insert(example.source.begin(), example.source.end());
    english_used.insert(example.target.begin(), example.target.end());
    const std::string text = written(example.source, korean);
    for (std::string_view word : split_words(text)) {
      if (written_words.find(word) == written_words.end()) written_words.emplace(word);
    }
  });
  EXPECT_EQ(english_of.size(), 322976u);
  EXPECT_EQ(english_sentences.size(), 182220u);
  EXPECT_EQ(ambiguous, 0);
  EXPECT_EQ(without_crossing, 0);
  EXPECT_EQ(korean_used.size(), 68u);
  EXPECT_EQ(english_used.size(), 76u);
  EXPECT_EQ(shortest_in, 5u);
  EXPECT_EQ(longest_in, 13u);
  EXPECT_EQ(shortest_out, 3u);
  EXPECT_EQ(longest_out, 12u);
  EXPECT_EQ(written_words.size(), 103u);
  for (const std::string& word : written_words) {
    EXPECT_EQ(ways_to_cut(word, korean), 1) << word;
  }
}

struct Pair {
  std::string_view korean, english;
};

TEST(TranslateTask, TranslatesTheExamples) {
  const auto task = make_translate();
  const Pair examples[] = {
      {"나는 학교에 간다", "I go to school"},
      {"고양이가 쥐를 잡았다", "the cat caught the mouse"},
      {"쥐가 고양이를 잡았다", "the mouse caught the cat"},
      {"쥐를 고양이가 잡았다", "the cat caught the mouse"},
      {"매일 아이들이 학교에 간다", "the children go to school every day"},
      {"학생들은 내일 도서관에서 친구를 안 만날 것이다",
       "the students will not meet the friend at the library tomorrow"},
      {"개는 안 마신다", ""},  // no object: every word is known, but it is not a sentence
  };
  for (const auto& [korean, english] : examples) {
    const Parsed parsed = task->parse(korean);
    ASSERT_TRUE(parsed.example.ok()) << korean;
    EXPECT_EQ(task->source_text(parsed.example.value()), korean);
    EXPECT_EQ(task->answer_text(answer_of(parsed.example.value())), english) << korean;
  }
}

TEST(TranslateTask, LinksEnglishToKorean) {
  const auto task = make_translate();
  const Parsed parsed = task->parse("학생들은 내일 큰 도서관에서 친구를 안 만날 것이다");
  ASSERT_TRUE(parsed.example.ok());
  // 학생0 들1 은2 내일3 큰4 도서관5 에서6 친구7 를8 안9 만날10 것이다11
  // the0 students1 will2 not3 meet4 the5 friend6 at7 the8 big9 library10 tomorrow11
  const std::vector<Link> expected = {{0, 0, false}, {1, 0, true},  {1, 1, true},  {2, 11, true},
                                      {3, 9, true},  {4, 10, true}, {5, 7, false}, {6, 7, true},
                                      {7, 6, true},  {8, 5, false}, {9, 4, true},  {10, 5, true},
                                      {11, 3, true}};
  EXPECT_EQ(parsed.example.value().links, expected);

  const Parsed daily =
      task->parse("고양이는 매일 공원에 간다");  // the cat goes to the park every day
  ASSERT_TRUE(daily.example.ok());
  const std::vector<Link> every_day = {{0, 0, false}, {1, 0, true}, {2, 5, true}, {3, 4, true},
                                       {4, 3, false}, {5, 3, true}, {6, 2, true}, {7, 2, true}};
  EXPECT_EQ(daily.example.value().links, every_day);
}

TEST(TranslateTask, DrawsDoAndDoesToTheVerb) {
  const auto task = make_translate();
  const Parsed parsed = task->parse("나는 빵을 안 먹는다");  // I do not eat bread
  ASSERT_TRUE(parsed.example.ok());
  const std::vector<Link> expected = {
      {0, 0, true}, {1, 5, false}, {2, 4, true}, {3, 5, true}, {4, 2, true}};
  EXPECT_EQ(parsed.example.value().links, expected);
  EXPECT_EQ(task->answer_text(answer_of(parsed.example.value())), "I do not eat bread");
}

TEST(TranslateTask, ChoosesParticlesByTheFinalConsonant) {
  EXPECT_TRUE(ends_in_consonant("학생"));
  EXPECT_TRUE(ends_in_consonant("들"));
  EXPECT_FALSE(ends_in_consonant("고양이"));
  EXPECT_FALSE(ends_in_consonant("I"));
  EXPECT_FALSE(ends_in_consonant(""));
  const auto task = make_translate();
  // The wrong particle is no sentence; the right one is.
  for (std::string_view right : {"학생은 물을 마신다", "친구는 우유를 마신다", "학생이 물을 마신다",
                                 "친구가 우유를 마신다"}) {
    EXPECT_FALSE(task->parse(right).example.value().target.empty()) << right;
  }
  for (std::string_view wrong : {"학생는 물을 마신다", "친구은 우유를 마신다", "학생가 물을 마신다",
                                 "친구가 우유을 마신다"}) {
    ASSERT_TRUE(task->parse(wrong).example.ok()) << wrong;
    EXPECT_TRUE(task->parse(wrong).example.value().target.empty()) << wrong;
  }
}

TEST(TranslateTask, ReadsWhatPeopleType) {
  const auto task = make_translate();
  const Parsed plain = task->parse("나는 학교에 간다");
  for (std::string_view variant :
       {"  나는  학교에 간다. ", "나 는 학교 에 간다",
        // The same in single letters, as some systems store them.
        "\u1102\u1161\u1102\u1173\u11ab \u1112\u1161\u11a8\u1100\u116d\u110b\u1166 "
        "\u1100\u1161\u11ab\u1103\u1161"}) {
    const Parsed parsed = task->parse(variant);
    ASSERT_TRUE(parsed.example.ok()) << variant << ": " << parsed.unknown_word;
    EXPECT_EQ(parsed.example.value().source, plain.example.value().source) << variant;
  }

  const Parsed unknown = task->parse("나는 집에 간다");
  ASSERT_FALSE(unknown.example.ok());
  EXPECT_EQ(unknown.unknown_word, "집에");
  EXPECT_EQ(unknown.known_words.size(), 68u);
  EXPECT_NE(unknown.example.error().message.find("집에"), std::string::npos);
  EXPECT_FALSE(task->parse(" . ").example.ok());
  EXPECT_FALSE(task->parse("나 나 나 나 나 나 나 나 나 나 나 나 나 나").example.ok());
  EXPECT_FALSE(task->parse("\xff").example.ok());
  EXPECT_FALSE(task->parse("<pad>").example.ok());
}

TEST(TranslateTask, UnderstandsWhatItWrites) {
  const Vocabulary korean = korean_vocabulary(), english = english_vocabulary();
  Example example;
  int seen = 0;
  for_each_sentence([&](const Sentence& sentence) {
    if (++seen % 97 != 0) return;
    write(sentence, korean, english, example);
    const auto understood = understand(example.source, korean);
    ASSERT_TRUE(understood.has_value()) << written(example.source, korean);
    EXPECT_EQ(*understood, sentence) << written(example.source, korean);
  });
}

TEST(TranslateTask, HoldsOutMeaningsOfEveryVerb) {
  const auto task = make_translate();
  std::map<int, int> held_out_verbs, train_verbs;
  std::set<std::vector<int>> triples[2];
  Example example;
  for (Split split : {Split::train, Split::held_out}) {
    for (std::uint64_t i = 0; i < 20000; ++i) {
      task->sample(split, 1, i, example);
      const auto sentence = understand(example.source, task->source_vocabulary());
      ASSERT_TRUE(sentence.has_value());
      const bool goal = verbs()[sentence->verb].place_is_goal;
      triples[split == Split::held_out].insert(
          {sentence->verb, sentence->subject.noun,
           goal ? sentence->place.noun : sentence->object.noun});
      ++(split == Split::held_out ? held_out_verbs : train_verbs)[sentence->verb];
    }
  }
  for (const auto& triple : triples[1]) EXPECT_EQ(triples[0].count(triple), 0u);
  const double share = static_cast<double>(triples[1].size()) /
                       static_cast<double>(triples[0].size() + triples[1].size());
  EXPECT_NEAR(share, 0.1, 0.02);
  const std::vector<int> always[] = {{verb("간다"), noun("나"), noun("학교")},
                                     {verb("잡는다"), noun("고양이"), noun("쥐")},
                                     {verb("잡는다"), noun("쥐"), noun("고양이")}};
  for (const auto& triple : always) EXPECT_EQ(triples[1].count(triple), 1u);
  for (const auto* counts : {&held_out_verbs, &train_verbs}) {
    ASSERT_EQ(counts->size(), verbs().size());
    for (const auto& [v, count] : *counts) EXPECT_NEAR(count, 20000 / 9.0, 200) << v;
  }
}

}  // namespace
}  // namespace tp
