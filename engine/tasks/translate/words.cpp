#include "engine/tasks/translate/words.h"

#include <initializer_list>

#include "engine/core/check.h"

namespace tp::translate {
namespace {

using enum NounKind;

constexpr Noun kNouns[] = {
    {pronoun, "나", "I", "me"},
    {pronoun, "너", "you", "you"},
    {pronoun, "우리", "we", "us"},
    {pronoun, "그들", "they", "them"},
    {person, "학생", "student", "students"},
    {person, "선생님", "teacher", "teachers"},
    {person, "친구", "friend", "friends"},
    {person, "아이", "child", "children"},
    {animal, "고양이", "cat", "cats", true},
    {animal, "쥐", "mouse", "mice", true},
    {animal, "개", "dog", "dogs", true},
    {thing, "사과", "apple", "", true},
    {thing, "책", "book", "", true},
    {thing, "꽃", "flower", "", true},
    {thing, "빵", "bread", "", false, false},
    {thing, "우유", "milk", "", false, false},
    {thing, "물", "water", "", false, false},
    {place, "학교", "school", "", false, false},
    {place, "도서관", "library", "", true},
    {place, "공원", "park", "", true},
    {place, "시장", "market", "", true},
    {place, "카페", "cafe", "", true},
};

constexpr int number_of(std::string_view korean) {
  int number = 0;
  for (const Noun& candidate : kNouns) {
    if (candidate.korean == korean) return number;
    ++number;
  }
  return -1;
}

constexpr NounSet set_of(std::initializer_list<std::string_view> words) {
  NounSet set = 0;
  for (std::string_view word : words) set |= NounSet{1} << number_of(word);
  return set;
}

constexpr NounSet set_of(NounKind kind) {
  NounSet set = 0, bit = 1;
  for (const Noun& candidate : kNouns) {
    if (candidate.kind == kind) set |= bit;
    bit <<= 1;
  }
  return set;
}

constexpr NounSet kNone = 0;
constexpr NounSet kPronouns = set_of(pronoun), kPeople = set_of(person), kAnimals = set_of(animal),
                  kThings = set_of(thing), kPlaces = set_of(place);
constexpr NounSet kForMeals = set_of({"학교", "공원", "카페"});
constexpr std::string_view kAllAdverbs = "자주 빨리 다시";

// Past, present, before 것이다 | English | human subject, objects, places, goal, time, adverbs.
constexpr Verb kVerbs[] = {
    {{"갔다", "간다", "갈"},
     "go",
     "goes",
     "went",  //
     false,
     kNone,
     kPlaces,
     true,
     true,
     kAllAdverbs},
    {{"먹었다", "먹는다", "먹을"},
     "eat",
     "eats",
     "ate",  //
     false,
     set_of({"사과", "빵"}),
     kForMeals,
     false,
     true,
     kAllAdverbs},
    {{"마셨다", "마신다", "마실"},
     "drink",
     "drinks",
     "drank",  //
     false,
     set_of({"우유", "물"}),
     kForMeals,
     false,
     true,
     kAllAdverbs},
    {{"샀다", "산다", "살"},
     "buy",
     "buys",
     "bought",  //
     true,
     kThings,
     set_of({"시장", "카페"}),
     false,
     true,
     "자주 다시"},
    {{"봤다", "본다", "볼"},
     "see",
     "sees",
     "saw",  //
     false,
     kPeople | kAnimals | kPronouns | set_of({"꽃"}),
     kPlaces,
     false,
     true,
     "자주 다시"},
    {{"잡았다", "잡는다", "잡을"},
     "catch",
     "catches",
     "caught",  //
     false,
     kAnimals,
     set_of({"공원"}),
     false,
     true,
     "다시"},
    {{"좋아했다", "좋아한다", "좋아할"},
     "like",
     "likes",
     "liked",  //
     false,
     kPeople | kAnimals | kPronouns | kThings,
     kNone,
     false,
     false,
     ""},
    {{"만났다", "만난다", "만날"},
     "meet",
     "meets",
     "met",  //
     true,
     kPeople | kPronouns,
     kPlaces,
     false,
     true,
     "자주 다시"},
    {{"도왔다", "돕는다", "도울"},
     "help",
     "helps",
     "helped",  //
     true,
     kPeople | kPronouns,
     kPlaces,
     false,
     true,
     "자주 다시"},
};

}  // namespace

std::span<const Noun> nouns() { return kNouns; }
std::span<const Verb> verbs() { return kVerbs; }

int noun(std::string_view korean) {
  const int number = number_of(korean);
  TP_CHECK(number >= 0, "not a noun");
  return number;
}

int verb(std::string_view korean_present) {
  int number = 0;
  for (const Verb& candidate : kVerbs) {
    if (candidate.korean[static_cast<int>(Tense::present)] == korean_present) return number;
    ++number;
  }
  check_failed("verb", "not a verb in the present", __FILE__, __LINE__);
}

bool Verb::takes(Adverb adverb) const {
  return adverb == Adverb::none ||
         adverbs.find(kAdverbWords[static_cast<int>(adverb)].korean) != std::string_view::npos;
}

Vocabulary korean_vocabulary() {
  Vocabulary words(Vocabulary::Marks::four);
  for (const Noun& n : kNouns) words.add(n.korean);
  for (const Verb& v : kVerbs) {
    for (std::string_view form : v.korean) words.add(form);
  }
  for (const Pair& pair : kAdjectives) words.add(pair.korean);
  for (const Pair& pair : kTimes) words.add(pair.korean);
  for (const Pair& pair : std::span(kAdverbWords).subspan(1)) words.add(pair.korean);
  for (const Particle& particle : {kTopic, kSubject, kObject}) {
    words.add(particle.after_consonant);
    words.add(particle.after_vowel);
  }
  for (std::string_view word : {kTo, kAt, kPlural, kNot, kWill}) words.add(word);
  return words;
}

Vocabulary english_vocabulary() {
  Vocabulary words(Vocabulary::Marks::four);
  for (const Noun& n : kNouns) {
    words.add(n.english);
    if (!n.other.empty()) words.add(n.other);
  }
  for (const Verb& v : kVerbs) {
    for (std::string_view form : {v.base, v.third_person, v.past_form}) words.add(form);
  }
  for (const Pair& pair : kAdjectives) words.add(pair.english);
  for (const Pair& pair : kTimes) words.add(pair.english);
  for (const Pair& pair : std::span(kAdverbWords).subspan(1)) words.add(pair.english);
  for (std::string_view word : {"day", "the", "do", "does", "did", "will", "not", "to", "at"}) {
    words.add(word);
  }
  return words;
}

}  // namespace tp::translate
