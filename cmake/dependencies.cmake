# Third-party libraries, built from sources that tools/setup fetched. Point the TP_*_DIR variables at
# checkouts of your own to use those instead.

file(STRINGS ${PROJECT_SOURCE_DIR}/tools/environment.sh version_line REGEX "^sources_version=")
string(REPLACE "sources_version=" "" sources_version "${version_line}")
set(tp_sources ${tp_cache}/sources-${sources_version})

set(TP_IMGUI_DIR ${tp_sources}/imgui CACHE PATH "Dear ImGui 1.90 sources")
set(TP_IMPLOT_DIR ${tp_sources}/implot CACHE PATH "ImPlot 0.17 sources")
set(TP_GTEST_DIR ${tp_sources}/googletest CACHE PATH "GoogleTest sources")
set(TP_JSON_DIR ${tp_sources}/json CACHE PATH "JSON for Modern C++ sources")
set(TP_EIGEN_DIR ${tp_cache}/eigen-1 CACHE PATH "Folder that holds Eigen 3.4's folder Eigen")
foreach(dir TP_IMGUI_DIR TP_IMPLOT_DIR TP_GTEST_DIR TP_JSON_DIR TP_EIGEN_DIR)
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

# For tests and measurements only: nothing of it is shipped.
add_library(eigen INTERFACE)
target_include_directories(eigen SYSTEM INTERFACE ${TP_EIGEN_DIR})
target_compile_definitions(eigen INTERFACE EIGEN_MPL2_ONLY)

set(TP_IMGUI_DRAW ${PROJECT_BINARY_DIR}/imgui/imgui_draw.cpp)
execute_process(
  COMMAND ${PROJECT_SOURCE_DIR}/tools/drop_default_font.py ${TP_IMGUI_DIR}/imgui_draw.cpp ${TP_IMGUI_DRAW}
  COMMAND_ERROR_IS_FATAL ANY)
add_library(imgui STATIC
  ${TP_IMGUI_DIR}/imgui.cpp
  ${TP_IMGUI_DRAW}
  ${TP_IMGUI_DIR}/imgui_tables.cpp
  ${TP_IMGUI_DIR}/imgui_widgets.cpp
  ${TP_IMGUI_DIR}/backends/imgui_impl_opengl3.cpp)
target_include_directories(imgui SYSTEM PUBLIC ${TP_IMGUI_DIR})
target_compile_definitions(imgui PUBLIC
  IMGUI_DISABLE_DEMO_WINDOWS IMGUI_DISABLE_DEBUG_TOOLS IMGUI_DISABLE_OBSOLETE_FUNCTIONS
  IMGUI_DISABLE_FILE_FUNCTIONS
  $<$<BOOL:${EMSCRIPTEN}>:IMGUI_IMPL_OPENGL_ES3>)
target_link_libraries(imgui PUBLIC tp_platform)

add_library(implot STATIC ${TP_IMPLOT_DIR}/implot.cpp ${TP_IMPLOT_DIR}/implot_items.cpp)
target_include_directories(implot SYSTEM PUBLIC ${TP_IMPLOT_DIR})
target_link_libraries(implot PUBLIC imgui)
# The only type that we plot: with all ten of them one file takes minutes to compile.
target_compile_definitions(implot PRIVATE "IMPLOT_CUSTOM_NUMERIC_TYPES=(double)")
# Not debugged here.
target_compile_options(gtest PRIVATE -g0)
target_compile_options(imgui PRIVATE -g0)
target_compile_options(implot PRIVATE -g0)

if(EMSCRIPTEN)
  # Interface code is tuned for size; only the engine is tuned for speed.
  target_compile_options(imgui PRIVATE -Oz)
  target_compile_options(implot PRIVATE -Oz)
  target_compile_definitions(imgui PRIVATE sscanf=tp_scan)  # imgui_app/platform/web_scan.cpp
  # See imgui_app/platform/web_gl_state.cpp.
  set_source_files_properties(${TP_IMGUI_DIR}/backends/imgui_impl_opengl3.cpp PROPERTIES
    COMPILE_DEFINITIONS glGetIntegerv=tp_gl_state)
else()
  find_package(glfw3 REQUIRED)
  find_package(OpenGL REQUIRED)
  add_library(imgui_glfw STATIC ${TP_IMGUI_DIR}/backends/imgui_impl_glfw.cpp)
  target_link_libraries(imgui_glfw PUBLIC imgui glfw OpenGL::GL)
endif()
