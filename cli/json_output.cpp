#include "cli/json_output.h"

#include <cstdio>

#include "engine/core/json.h"

namespace tp::cli {
namespace {

std::string dumped(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

JsonLine& JsonLine::raw(std::string_view name, std::string_view value) {
  if (!members_.empty()) members_ += ", ";
  ((members_ += dumped(Json(name))) += ": ") += value;
  return *this;
}

JsonLine& JsonLine::text(std::string_view name, std::string_view value) {
  return raw(name, dumped(Json(value)));
}
JsonLine& JsonLine::number(std::string_view name, double value) {
  return raw(name, dumped(Json(value)));
}
JsonLine& JsonLine::count(std::string_view name, std::uint64_t value) {
  return raw(name, std::to_string(value));
}
JsonLine& JsonLine::truth(std::string_view name, bool value) {
  return raw(name, value ? "true" : "false");
}

void JsonLine::print() const {
  std::printf("%s\n", object().c_str());
  std::fflush(stdout);
}

}  // namespace tp::cli
