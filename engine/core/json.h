#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace tp {

// Objects keep the order in which they were written.
using Json = nlohmann::ordered_json;

// Text that is no JSON gives a value that is neither object nor array nor anything else. The
// library's own parse() compiles a second parser for callbacks, which doubles its weight in a page.
inline Json parse_json(std::string_view text) {
  Json value;
  nlohmann::detail::json_sax_dom_parser<Json> builder(value, false);
  if (Json::sax_parse(text.begin(), text.end(), &builder)) return value;
  return Json(Json::value_t::discarded);
}

}  // namespace tp
