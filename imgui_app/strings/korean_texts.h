#pragma once

#include <cstddef>
#include <string>

// The Korean column of the table. It is compiled into native programs and tests
// (korean_compiled.cpp); the page receives it as a file together with the Korean font, so that an
// English page does not download it (korean_file.cpp). CMake chooses one of the two.

namespace tp::ui {

// Of the table's entry; null while it is not there.
const char* korean_text(std::size_t index);

// What tools/make_korean_texts.py wrote: a line name=text for each entry. Only in the page.
void read_korean_texts(std::string file);

}  // namespace tp::ui
