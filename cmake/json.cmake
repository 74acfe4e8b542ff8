# tp_json: JSON for Modern C++, all that the engine needs of others. From the sources that tools/setup fetched, from a
# checkout of your own, or as it is installed.
set(TP_JSON_DIR ${tp_sources}/json CACHE PATH "JSON for Modern C++ sources")
add_library(tp_json INTERFACE)
if(IS_DIRECTORY ${TP_JSON_DIR})
  target_include_directories(tp_json SYSTEM INTERFACE ${TP_JSON_DIR}/single_include)
else()
  find_package(nlohmann_json 3 QUIET)
  if(NOT nlohmann_json_FOUND)
    message(FATAL_ERROR "JSON for Modern C++ is needed: install it (on Debian, nlohmann-json3-dev), run tools/setup native, "
      "or set TP_JSON_DIR to a checkout of your own.")
  endif()
  target_link_libraries(tp_json INTERFACE nlohmann_json::nlohmann_json)
endif()
