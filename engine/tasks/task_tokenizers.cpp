#include "engine/tasks/task_tokenizers.h"

namespace tp {
namespace {

constexpr std::string_view kMarkSpellings[] = {"<pad>", "<bos>", "<eos>", "<unk>"};
constexpr int kMarks = 4;

bool begins_with_marks(const Tokenizer& tokenizer) {
  if (tokenizer.size() < kMarks) return false;
  for (int id = 0; id < kMarks; ++id) {
    if (tokenizer.spelling(id) != kMarkSpellings[id] || !tokenizer.is_special(id)) return false;
  }
  return true;
}

void add_marks(int count, Tokenizer::Parts& parts) {
  for (int id = 0; id < count; ++id) {
    parts.special.push_back(parts.vocabulary.add(std::string(kMarkSpellings[id])));
  }
}

std::shared_ptr<const Tokenizer> tokenizer_of(const Vocabulary& vocabulary, bool by_character) {
  if (vocabulary.words().empty()) return nullptr;
  Tokenizer::Parts parts;
  parts.kind = by_character ? TokenizerKind::kCharacter : TokenizerKind::kWord;
  add_marks(vocabulary.marks(), parts);
  for (std::string_view word : vocabulary.words()) parts.vocabulary.add(std::string(word));
  // A file must name one. Where there is no <unk>, the task lets nothing in that is not known.
  parts.unknown = vocabulary.has_unknown() ? kUnknown : kPad;
  return std::make_shared<const Tokenizer>(std::move(parts));
}

}  // namespace

Tokenizer tokenizer_of(TokenizerKind kind, std::span<const std::string> tokens) {
  Tokenizer::Parts parts;
  parts.kind = kind;
  add_marks(kMarks, parts);
  for (const std::string& token : tokens) parts.vocabulary.add(token);
  parts.unknown = kUnknown;
  return Tokenizer(std::move(parts));
}

Result<Tokenizer> with_marks(Tokenizer tokenizer) {
  if (begins_with_marks(tokenizer)) return Result<Tokenizer>(std::move(tokenizer));
  Tokenizer::Parts parts;
  parts.kind = tokenizer.kind();
  add_marks(kMarks, parts);
  std::vector<int> renumbered;
  for (int id = 0; id < tokenizer.size(); ++id) {
    const std::string& spelling = tokenizer.spelling(id);
    const int mark = parts.vocabulary.find(spelling);  // all others are there once
    renumbered.push_back(mark == kNoToken ? parts.vocabulary.add(spelling) : mark);
    if (mark == kNoToken && tokenizer.is_special(id)) parts.special.push_back(renumbered.back());
  }
  if (parts.vocabulary.size() > kMaxVocabulary) {
    return Error{"the tokenizer has " + std::to_string(tokenizer.size()) +
                 " tokens, and with the marks there are more than " +
                 std::to_string(kMaxVocabulary) + ": give a smaller one."};
  }
  const auto number = [&](int id) { return renumbered[static_cast<std::size_t>(id)]; };
  for (const Merge& merge : tokenizer.merges()) {
    parts.merges.push_back({number(merge.left), number(merge.right), number(merge.merged)});
  }
  if (tokenizer.unknown() != kNoToken) parts.unknown = number(tokenizer.unknown());
  return Tokenizer(std::move(parts));
}

Vocabulary vocabulary_of(const Tokenizer& tokenizer) {
  Vocabulary vocabulary(Vocabulary::Marks::four);
  for (int id = kMarks; id < tokenizer.size(); ++id) vocabulary.add(tokenizer.spelling(id));
  return vocabulary;
}

std::string written_text(const Tokenizer& tokenizer, std::span<const int> ids) {
  std::vector<int> shown;
  for (const int id : ids) {
    if (id == kEnd) break;
    if (id >= kMarks || id == tokenizer.unknown()) shown.push_back(id);
  }
  return tokenizer.decode(shown, Tokenizer::Special::kShow);
}

TaskTokenizers tokenizers_of(const Task& task) {
  if (task.tokenizers().reads) return task.tokenizers();
  const TaskKind kind = task.info().kind;
  TaskTokenizers made;
  if (kind == TaskKind::decoder_only || kind == TaskKind::encoder_decoder) {
    made.writes = tokenizer_of(task.target_vocabulary(), task.by_character());
  }
  const bool same =
      kind == TaskKind::decoder_only ||
      (made.writes && task.source_vocabulary().words() == task.target_vocabulary().words());
  made.reads = same ? made.writes : tokenizer_of(task.source_vocabulary(), task.by_character());
  return made;
}

}  // namespace tp
