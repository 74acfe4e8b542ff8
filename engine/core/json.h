#pragma once

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

namespace tp {

// Objects keep the order in which they were written.
using Json = nlohmann::ordered_json;

// Remembers how far the text was read when it turned out to be no JSON.
struct JsonBuilder : nlohmann::detail::json_sax_dom_parser<Json> {
  using Base = nlohmann::detail::json_sax_dom_parser<Json>;
  using Base::Base;

  template <class Exception>
  bool parse_error(std::size_t position, const std::string& token, const Exception& exception) {
    characters_read = position;
    return Base::parse_error(position, token, exception);
  }

  std::size_t characters_read = 0;  // the wrong one included
};

// Line and column, from 1 on, of the last of the first `bytes` bytes of a text.
struct TextPlace {
  std::ptrdiff_t line = 1, column = 1;
};
inline TextPlace place_in(std::string_view text, std::size_t bytes) {
  const std::string_view before = text.substr(0, bytes > 0 ? bytes - 1 : 0);
  const std::string_view line = before.substr(before.rfind('\n') + 1);
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
  return {1 + std::ranges::count(before, '\n'), 1 + std::ranges::count_if(line, begins)};
}

// Text that is no JSON gives a value that is neither object nor array nor anything else. The
// library's own parse() compiles a second parser for callbacks, and its sax_parse() readers of four
// binary formats: weight that a page can do without. `wrong_at`, if given, is then where.
inline Json parse_json(std::string_view text, TextPlace* wrong_at = nullptr) {
  Json value;
  JsonBuilder builder(value, false);
  using Input = decltype(nlohmann::detail::input_adapter(text.begin(), text.end()));
  nlohmann::detail::parser<Json, Input> parser(
      nlohmann::detail::input_adapter(text.begin(), text.end()), nullptr, false);
  if (parser.sax_parse(&builder)) return value;
  if (wrong_at != nullptr) *wrong_at = place_in(text, builder.characters_read);
  return Json(Json::value_t::discarded);
}

}  // namespace tp
