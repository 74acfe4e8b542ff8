#include "engine/tasks/task_tokenizers.h"

#include "tests/unit/tasks/tasks_subjects.h"

namespace tp::test {
namespace {

// Every task that has tokens has them in a file that says the same.
TEST(TaskTokenizers, EveryVocabularyGoesIntoAFileAndBack) {
  for (const auto& task : default_tasks()) {
    const TaskTokenizers tokenizers = tokenizers_of(*task);
    const TaskKind kind = task->info().kind;
    const bool patches = kind == TaskKind::patch_classifier || kind == TaskKind::patch_regressor;
    EXPECT_EQ(tokenizers.reads == nullptr, patches) << task->info().name;
    EXPECT_EQ(tokenizers.writes == nullptr, patches || kind == TaskKind::token_classifier);
    const Vocabulary& source =
        kind == TaskKind::decoder_only ? task->target_vocabulary() : task->source_vocabulary();
    for (const auto& [tokenizer, vocabulary] :
         {std::pair(tokenizers.reads, &source),
          std::pair(tokenizers.writes, &task->target_vocabulary())}) {
      if (!tokenizer) continue;
      const Result<Tokenizer> read = Tokenizer::parse(tokenizer->json());
      ASSERT_TRUE(read.ok()) << task->info().name << ": " << read.error().message;
      ASSERT_EQ(read.value().size(), vocabulary->size());
      for (int id = 0; id < vocabulary->size(); ++id) {
        EXPECT_EQ(read.value().spelling(id), vocabulary->word(id));
      }
    }
  }
}

TEST(TaskTokenizers, AForeignTokenizerGetsTheMarks) {
  const Result<Tokenizer> foreign =
      Tokenizer::train("low low lower lowest", {.kind = TokenizerKind::kSentencePiece,
                                                .vocabulary_size = 20,
                                                .special_tokens = {"<s>", "<unk>"}});
  ASSERT_TRUE(foreign.ok());
  const Result<Tokenizer> marked = with_marks(foreign.value());
  ASSERT_TRUE(marked.ok());
  const Tokenizer& tokenizer = marked.value();
  EXPECT_EQ(tokenizer.size(), foreign.value().size() + 3);
  EXPECT_EQ(tokenizer.spelling(kEnd), "<eos>");
  EXPECT_EQ(tokenizer.unknown(), kUnknown);
  EXPECT_EQ(tokenizer.find("<s>"), 4);
  EXPECT_TRUE(tokenizer.is_special(4));
  const std::vector<int> ids = tokenizer.encode("lower low");
  EXPECT_EQ(ids.size(), foreign.value().encode("lower low").size());
  EXPECT_EQ(tokenizer.decode(ids), "lower low");
  EXPECT_EQ(with_marks(tokenizer).value().json(), tokenizer.json());
  EXPECT_EQ(Tokenizer::parse(tokenizer.json()).value().json(), tokenizer.json());
}

TEST(TaskTokenizers, WritesUpToTheEnd) {
  const std::vector<std::string> words = {"a", "b"};
  const Tokenizer tokenizer = tokenizer_of(TokenizerKind::kWord, words);
  const std::vector<int> ids = {kBegin, 4, kPad, kUnknown, 5, kEnd, 4};
  EXPECT_EQ(written_text(tokenizer, ids), "a <unk> b");
  const std::vector<int> spelled = tokenizer.encode("a <eos> <unk> b", Tokenizer::Spelled::kText);
  EXPECT_EQ(spelled, (std::vector<int>{4, kUnknown, kUnknown, 5}));
  EXPECT_EQ(tokenizer.encode("a <eos> b"), (std::vector<int>{4, kEnd, 5}));
}

}  // namespace
}  // namespace tp::test
