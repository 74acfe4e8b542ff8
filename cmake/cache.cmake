# tp_cache: the folder outside the checkout that all clones share, the same as in tools/environment.sh.

if(DEFINED ENV{TP_CACHE})
  set(tp_cache $ENV{TP_CACHE})
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(tp_cache $ENV{XDG_CACHE_HOME}/transformer-playground)
else()
  set(tp_cache $ENV{HOME}/.cache/transformer-playground)
endif()
file(STRINGS ${PROJECT_SOURCE_DIR}/tools/environment.sh version_line REGEX "^sources_version=")
string(REPLACE "sources_version=" "" sources_version "${version_line}")
set(tp_sources ${tp_cache}/sources-${sources_version})  # what tools/setup fetched

# What was compiled once, in any clone, is not compiled again: paths count relative to the project.
find_program(TP_CCACHE ccache)
if(TP_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_DIR=${tp_cache}/ccache CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1)
  if(EMSCRIPTEN)
    list(APPEND CMAKE_CXX_COMPILER_LAUNCHER CCACHE_COMPILERTYPE=clang)  # which em++ does not look like
  endif()
  list(APPEND CMAKE_CXX_COMPILER_LAUNCHER ${TP_CCACHE})
endif()
