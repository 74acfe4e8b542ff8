#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace tp {

// Objects keep the order in which they were written.
using Json = nlohmann::ordered_json;

// Text that is no JSON gives a value that is neither object nor array nor anything else. The
// library's own parse() compiles a second parser for callbacks, and its sax_parse() readers of four
// binary formats: weight that a page can do without.
inline Json parse_json(std::string_view text) {
  Json value;
  nlohmann::detail::json_sax_dom_parser<Json> builder(value, false);
  using Input = decltype(nlohmann::detail::input_adapter(text.begin(), text.end()));
  nlohmann::detail::parser<Json, Input> parser(
      nlohmann::detail::input_adapter(text.begin(), text.end()), nullptr, false);
  if (parser.sax_parse(&builder)) return value;
  return Json(Json::value_t::discarded);
}

}  // namespace tp
