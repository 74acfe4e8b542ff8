#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/session/snapshot.h"
#include "engine/tasks/task.h"

// How examples, answers and errors are told to people.

namespace tp {

// An answer as a person reads it: regression's numbers on the scale of what was typed.
std::string answer_text(const Task& task, const Example& example, const Answer& answer);

// An example as it is drawn, with the numbers of an answer on the same scale.
Depiction depiction_of(const Task& task, const Example& example, const Answer& answer);

// What the model reads of an example, one text for each token; patches are numbered.
std::vector<std::string> read_words(const Task& task, const Example& example);
std::vector<std::string> words_of(std::span<const int> ids, const Vocabulary& vocabulary);

// What the engine says, as a sentence with a capital; names of settings are left as they are.
Sentence sentence_of(const Error& error);

}  // namespace tp
