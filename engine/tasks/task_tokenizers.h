#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/tasks/task.h"
#include "engine/text/tokenizer.h"

// Between tokenizers and tasks. A tokenizer of a task begins with the four marks, so that its ids
// are the numbers of the task's vocabulary and of the model.

namespace tp {

// Of words or characters, in the order of their numbers behind the marks.
Tokenizer tokenizer_of(TokenizerKind kind, std::span<const std::string> tokens);

// The same tokens behind the marks; one that spells a mark becomes that mark. Refuses a vocabulary
// that is too large then.
Result<Tokenizer> with_marks(Tokenizer tokenizer);

Vocabulary vocabulary_of(const Tokenizer& tokenizer);

// The text of what a model wrote, up to the end mark. Of the other marks only <unk> is shown.
std::string written_text(const Tokenizer& tokenizer, std::span<const int> ids);

// Those of the task, or of its vocabularies where it has none of its own. Null for what is not read
// or written as tokens.
TaskTokenizers tokenizers_of(const Task& task);

}  // namespace tp
