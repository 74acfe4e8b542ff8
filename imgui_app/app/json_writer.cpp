#include "imgui_app/app/json_writer.h"

#include <cmath>

#include "engine/core/number_text.h"
#include "engine/core/utf8.h"

namespace tp::ui {

void JsonWriter::separate() {
  if (!first_) text_ += ',';
  first_ = false;
}

void JsonWriter::raw(std::string_view value) {
  separate();
  text_ += value;
}

void JsonWriter::open(char bracket) {
  separate();
  text_ += bracket;
  first_ = true;
}

void JsonWriter::close(char bracket) {
  text_ += bracket;
  first_ = false;
}

void JsonWriter::key(std::string_view name) {
  separate();
  quote(name);
  text_ += ':';
  first_ = true;  // its value follows without a comma
}

void JsonWriter::number(double value) { raw(std::isfinite(value) ? short_text(value) : "null"); }

void JsonWriter::text(std::string_view value) {
  separate();
  quote(value);
}

void JsonWriter::quote(std::string_view value) {
  constexpr char kHex[] = "0123456789abcdef";
  text_ += '"';
  while (!value.empty()) {
    const char32_t c = next_code_point(value);
    if (c == '"' || c == '\\') {
      text_ += {'\\', static_cast<char>(c)};
    } else if (c < 0x20) {
      text_ += "\\u00";
      text_ += {kHex[c >> 4], kHex[c & 15]};
    } else {
      append_utf8(text_, c == kInvalidCodePoint ? U'\uFFFD' : c);
    }
  }
  text_ += '"';
}

}  // namespace tp::ui
