# Third-party libraries, built from sources that tools/setup fetched. Point the TP_*_DIR variables at
# checkouts of your own to use those instead.

if(DEFINED ENV{TP_CACHE})
  set(tp_cache $ENV{TP_CACHE})
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(tp_cache $ENV{XDG_CACHE_HOME}/transformer-playground)
else()
  set(tp_cache $ENV{HOME}/.cache/transformer-playground)
endif()
file(STRINGS ${PROJECT_SOURCE_DIR}/tools/environment.sh version_line REGEX "^sources_version=")
string(REPLACE "sources_version=" "" sources_version "${version_line}")
set(tp_sources ${tp_cache}/sources-${sources_version})

set(TP_IMGUI_DIR ${tp_sources}/imgui CACHE PATH "Dear ImGui 1.90 sources")
set(TP_IMPLOT_DIR ${tp_sources}/implot CACHE PATH "ImPlot 0.17 sources")
set(TP_GTEST_DIR ${tp_sources}/googletest CACHE PATH "GoogleTest sources")
set(TP_JSON_DIR ${tp_sources}/json CACHE PATH "JSON for Modern C++ sources")
foreach(dir TP_IMGUI_DIR TP_IMPLOT_DIR TP_GTEST_DIR TP_JSON_DIR)
  if(NOT IS_DIRECTORY ${${dir}})
    message(FATAL_ERROR "${dir}=${${dir}} is not there. Run tools/setup native (or web), or set ${dir} to a checkout of your own.")
  endif()
endforeach()

add_library(gtest STATIC EXCLUDE_FROM_ALL ${TP_GTEST_DIR}/googletest/src/gtest-all.cc)
target_include_directories(gtest SYSTEM PUBLIC ${TP_GTEST_DIR}/googletest/include)
target_include_directories(gtest PRIVATE ${TP_GTEST_DIR}/googletest)
target_link_libraries(gtest PUBLIC tp_platform)
if(EMSCRIPTEN)
  target_compile_definitions(gtest PUBLIC GTEST_HAS_PTHREAD=0)
endif()

add_library(json INTERFACE)
target_include_directories(json SYSTEM INTERFACE ${TP_JSON_DIR}/single_include)

