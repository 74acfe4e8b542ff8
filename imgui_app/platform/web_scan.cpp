#include <cstdarg>
#include <cstdlib>
#include <string_view>

// What Dear ImGui has instead of sscanf (cmake/dependencies.cmake), which weighs as much as a
// panel. Its renderer reads the version of its shaders; all the rest is about settings files and
// fields for numbers, which the page does not have.
extern "C" int tp_scan(const char* text, const char* format, ...) {
  constexpr std::string_view kVersion = "#version ";
  if (format != std::string_view("#version %d") || !std::string_view(text).starts_with(kVersion)) {
    return 0;
  }
  va_list places;
  va_start(places, format);
  *va_arg(places, int*) = std::atoi(text + kVersion.size());
  va_end(places);
  return 1;
}
