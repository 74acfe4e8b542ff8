#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/text/tokenizer.h"
#include "tests/subjects/tokenizer_subjects.h"

namespace tp {
namespace {

using Json = nlohmann::json;
using Ids = std::vector<int>;

// "it was read" when nothing is wrong, otherwise the reason alone.
std::string problem(const std::string& text) {
  const Result<Tokenizer> result = Tokenizer::parse(text);
  if (result.ok()) return "it was read";
  const std::string start = "This tokenizer.json cannot be used: ";
  const std::string& message = result.error().message;
  EXPECT_TRUE(message.starts_with(start) && message.ends_with('.')) << message;
  return message.substr(start.size(), message.size() - start.size() - 1);
}
std::string problem(const Json& file) { return problem(file.dump()); }

// A small file of each sort, to be damaged.
Json word_file() {
  return Json::parse(R"({"version":"1.0","added_tokens":[{"id":0,"content":"<unk>","special":true}],
    "pre_tokenizer":{"type":"WhitespaceSplit"},"decoder":null,
    "model":{"type":"WordLevel","vocab":{"<unk>":0,"a":1},"unk_token":"<unk>"}})");
}
Json byte_file() {
  return Json::parse(R"({"version":"1.0","added_tokens":[],
    "pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false},"decoder":{"type":"ByteLevel"},
    "model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2},"merges":[["a","b"]]}})");
}
Json sentence_file() {
  return Json::parse(R"({"version":"1.0","added_tokens":[{"id":0,"content":"<unk>","special":true}],
    "pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true},
    "decoder":{"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true},
    "model":{"type":"BPE","unk_token":"<unk>","vocab":{"<unk>":0,"▁":1,"b":2},"merges":[]}})");
}

TEST(TokenizerJson, ReadingBackGivesTheSameTokenizer) {
  for (const NamedTokenizerOptions& subject : tokenizer_subjects()) {
    const Tokenizer tokenizer = trained_subject(subject.options.kind);
    const std::string json = tokenizer.json();
    const Result<Tokenizer> again = Tokenizer::parse(json);
    ASSERT_TRUE(again.ok()) << subject.name << ": " << again.error().message;
    EXPECT_EQ(again.value().json(), json) << subject.name;
    for (const std::string& text : tokenizer_strings(300, 5)) {
      const Ids ids = tokenizer.encode(text);
      ASSERT_EQ(again.value().encode(text), ids) << subject.name;
      ASSERT_EQ(again.value().decode(ids), tokenizer.decode(ids)) << subject.name;
    }
  }
}

TEST(TokenizerJson, TheSmallFilesAreRead) {
  EXPECT_EQ(problem(word_file()), "it was read");
  EXPECT_EQ(problem(byte_file()), "it was read");
  EXPECT_EQ(problem(sentence_file()), "it was read");
}

// As OpenAI's models were first converted: no type of the model, merges in one text each.
TEST(TokenizerJson, FilesOfTheFirstVersionsAreRead) {
  const Result<Tokenizer> tokenizer =
      Tokenizer::parse(R"({"version":"1.0","truncation":null,"padding":null,
    "added_tokens":[{"id":5,"special":true,"content":"<|endoftext|>","single_word":false,"lstrip":false,
                     "rstrip":false,"normalized":true}],
    "normalizer":null,"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true},
    "post_processor":{"type":"ByteLevel","add_prefix_space":true,"trim_offsets":false},
    "decoder":{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true},
    "model":{"dropout":null,"unk_token":null,"continuing_subword_prefix":"","end_of_word_suffix":"",
      "fuse_unk":false,"vocab":{"t":0,"h":1,"Ġ":2,"th":3,"Ġth":4},"merges":["t h","Ġ th"]}})");
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.error().message;
  // Bytes that the vocabulary lacks are left out, since it has nothing for the unknown.
  EXPECT_EQ(tokenizer.value().encode("th thx<|endoftext|>"), (Ids{3, 4, 5}));
  EXPECT_EQ(tokenizer.value().decode(Ids{3, 4, 5}), "th th");
}

TEST(TokenizerJson, SpecialTokensMayBeMissingFromTheModel) {
  Json file = word_file();
  file["added_tokens"].push_back({{"id", 2}, {"content", "<eos>"}, {"special", true}});
  const Result<Tokenizer> tokenizer = Tokenizer::parse(file.dump());
  ASSERT_TRUE(tokenizer.ok());
  EXPECT_EQ(tokenizer.value().encode("a<eos>b"), (Ids{1, 2, 0}));
}

TEST(TokenizerJson, WhatIsNoJsonIsRefused) {
  const std::string no_json = "it is not valid JSON at line ";
  const std::string good = word_file().dump();
  const std::string behind = no_json + "1, column " + std::to_string(good.size() + 1);
  EXPECT_EQ(problem(std::string()), no_json + "1, column 1");
  EXPECT_EQ(problem(std::string("{\n \"version\":")), no_json + "2, column 12");
  EXPECT_EQ(problem(std::string("{\n \"한글\": 1, }")), no_json + "2, column 11");
  EXPECT_EQ(problem(good + "x"), behind);
  EXPECT_EQ(problem(good + std::string("\0", 1)), behind);
  EXPECT_EQ(problem(std::string("{\"\xff\":1}")), no_json + "1, column 3");
  EXPECT_EQ(problem(std::string("[]")), "it is not a JSON object");
  EXPECT_EQ(problem(std::string("{}")), "it has no model");
}

TEST(TokenizerJson, LimitsAreKept) {
  EXPECT_EQ(problem(std::string(kMaxTokenizerFileBytes + 1, ' ')),
            "it has 8388609 bytes, more than the limit of 8388608");
  EXPECT_EQ(problem(std::string(kMaxTokenizerFileBytes, '[')),
            "its lists and objects are nested too deep");
  std::string nested;
  while (nested.size() + 5 < kMaxTokenizerFileBytes) nested += "{\"a\":";
  EXPECT_EQ(problem(nested), "its lists and objects are nested too deep");

  Json file = word_file();
  file["model"]["vocab"]["b"] = kMaxVocabulary;
  EXPECT_EQ(problem(file),
            "the token 'b' has the id 65536, which is not a whole number below 65536");
  file = word_file();
  file["model"]["vocab"][std::string(kMaxTokenBytes + 1, 'x')] = 2;
  EXPECT_NE(problem(file).find("has 257 bytes, but tokens have from 1 to 256"), std::string::npos);
  file = word_file();
  for (std::size_t i = 0; i < kMaxSpecialTokens; ++i)
    file["added_tokens"].push_back(file["added_tokens"][0]);
  EXPECT_EQ(problem(file), "it has more than 256 added_tokens");
  file = byte_file();
  for (std::size_t i = 0; i < kMaxMerges; ++i) file["model"]["merges"].push_back("a b");
  EXPECT_EQ(problem(file), "it has more than 131072 merges");
}

// Each case changes one thing of a file that would be read.
struct Change {
  const char* pointer;
  Json value;
  const char* expected;
};

void expect_refused(const Json& file, const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    Json changed = file;
    changed[Json::json_pointer(change.pointer)] = change.value;
    EXPECT_EQ(problem(changed), change.expected);
  }
}

TEST(TokenizerJson, SettingsThatWouldChangeTheTokensAreRefused) {
  expect_refused(
      word_file(),
      {{"/version", "2.0", "it has version '2.0', but only '1.0' is supported"},
       {"/normalizer",
        {{"type", "NFC"}},
        "it has normalizer an object, but only null is supported"},
       {"/truncation", Json::object(), "it has truncation an object, but only null is supported"},
       {"/post_processor",
        {{"type", "TemplateProcessing"}},
        "it has the post_processor 'TemplateProcessing', which is not supported"},
       {"/surprise", 1, "it has the setting 'surprise', which is not supported"},
       {"/model/surprise", 1, "its model has the setting 'surprise', which is not supported"},
       {"/pre_tokenizer/surprise", 1,
        "its pre_tokenizer has the setting 'surprise', which is not supported"},
       {"/added_tokens/0/lstrip", true,
        "the added token '<unk>' has lstrip true, but only false is supported"},
       {"/added_tokens/0/special", false,
        "the added token '<unk>' has special false, but only true is supported"}});
  expect_refused(
      byte_file(),
      {{"/model/dropout", 0.1, "its model has dropout 0.1, but only null is supported"},
       {"/model/byte_fallback", true,
        "its model has byte_fallback true, but only false is supported"},
       {"/model/fuse_unk", true, "its model has fuse_unk true, but only false is supported"},
       {"/model/ignore_merges", true,
        "its model has ignore_merges true, but only false is supported"},
       {"/model/end_of_word_suffix", "</w>",
        "its model has end_of_word_suffix '</w>', but only null is supported"},
       {"/pre_tokenizer/add_prefix_space", true,
        "its pre_tokenizer has add_prefix_space true, but only false is supported"},
       {"/pre_tokenizer/use_regex", false,
        "its pre_tokenizer has use_regex false, but only true is supported"},
       {"/pre_tokenizer", {{"type", "ByteLevel"}}, "its pre_tokenizer lacks add_prefix_space"}});
  expect_refused(
      sentence_file(),
      {{"/pre_tokenizer/prepend_scheme", "first",
        "its pre_tokenizer has prepend_scheme 'first', but only 'always' is supported"},
       {"/decoder/replacement", "_", "its decoder has replacement '_', but only '▁' is supported"},
       {"/pre_tokenizer/split", false,
        "its pre_tokenizer has split false, but only true is supported"}});
}

TEST(TokenizerJson, OtherKindsAreNamed) {
  Json file = word_file();
  file["model"]["type"] = "Unigram";
  EXPECT_EQ(
      problem(file).substr(0, 85),
      "it combines the model 'Unigram', the pre_tokenizer 'WhitespaceSplit' and the decoder ");
  for (const char* pointer : {"/pre_tokenizer", "/decoder", "/model/type"}) {
    for (const Json& value :
         {Json(7), Json("BPE"), Json::array(), Json::object(), Json({{"type", 3}})}) {
      file = word_file();
      file[Json::json_pointer(pointer)] = value;
      EXPECT_NE(problem(file).find("it combines"), std::string::npos) << file.dump();
    }
  }
}

TEST(TokenizerJson, BrokenVocabulariesAreRefused) {
  expect_refused(
      word_file(),
      {{"/model/vocab", Json::array(),
        "its model has no vocab that is an object of tokens and ids"},
       {"/model/vocab/b", 3, "no token has the id 2, though larger ids are used"},
       {"/model/vocab/b", 1, "the tokens 'a' and 'b' both have the id 1"},
       {"/model/vocab/b", -1,
        "the token 'b' has the id -1, which is not a whole number below 65536"},
       {"/model/vocab/b", 2.0,
        "the token 'b' has the id 2.0, which is not a whole number below 65536"},
       {"/model/vocab/b", "2",
        "the token 'b' has the id '2', which is not a whole number below 65536"},
       {"/model/vocab/", 2, "the token '' has 0 bytes, but tokens have from 1 to 256"},
       {"/added_tokens/0/id", 2, "the token '<unk>' has two ids"},
       {"/added_tokens/0/id", 1, "the tokens 'a' and '<unk>' both have the id 1"},
       {"/added_tokens/0/content", 5, "an entry of its added_tokens lacks its id or its content"},
       {"/added_tokens/0", 5, "an entry of its added_tokens lacks its id or its content"},
       {"/added_tokens/1", word_file()["added_tokens"][0],
        "the added token '<unk>' is there twice"},
       {"/added_tokens", "none", "its added_tokens are not a list"},
       {"/model/unk_token", "<gone>", "the unk_token '<gone>' is not in the vocabulary"},
       {"/model/unk_token", 3, "the unk_token 3 is not in the vocabulary"},
       {"/model/unk_token", nullptr,
        "its model has no unk_token, so that it has nothing for what it does not know"}});
  expect_refused(byte_file(),
                 {{"/model/vocab/가", 3, "the token '가' is not spelled in the byte alphabet"}});
}

TEST(TokenizerJson, BrokenMergesAreRefused) {
  const Json pair = {"a", "b"};
  expect_refused(byte_file(),
                 {{"/model/merges", Json::object(), "its model has no list of merges"},
                  {"/model/merges/1", pair, "merge 1 is there twice"},
                  {"/model/merges/1", "a b", "merge 1 is there twice"},
                  {"/model/merges/1", "ab", "merge 1 is not a pair of tokens"},
                  {"/model/merges/1", "a b c", "merge 1 is not a pair of tokens"},
                  {"/model/merges/1", Json{"a", "b", "c"}, "merge 1 is not a pair of tokens"},
                  {"/model/merges/1", Json{"a", 1}, "merge 1 is not a pair of tokens"},
                  {"/model/merges/1", 7, "merge 1 is not a pair of tokens"},
                  {"/model/merges/1", "b a",
                   "merge 1 of 'b' and 'a' needs a token that is not in the vocabulary"}});
}

TEST(TokenizerJson, NamesInMessagesAreShortAndHarmless) {
  Json file = word_file();
  file["model"]["unk_token"] = "\n\x1b[31m" + std::string(500, 'x');
  const std::string message = problem(file);
  EXPECT_LT(message.size(), 200u);
  EXPECT_EQ(message.find_first_of("\n\x1b"), std::string::npos);
}

}  // namespace
}  // namespace tp
