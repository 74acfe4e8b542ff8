#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tp::ui {

// What is typed, with a word that the model knows in place of the one that it does not, or at the
// end where there is none. In Korean a particle that the unknown word ends with stays, in the form
// that follows the new word: 달에 becomes 학교에, 달은 becomes 학교는. `spaced`: words have spaces
// between them.
std::string with_known_word(std::string_view typed, std::string_view unknown, std::string_view word,
                            std::span<const std::string> known, bool spaced);

}  // namespace tp::ui
