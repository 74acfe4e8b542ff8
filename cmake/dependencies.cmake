# Third-party libraries, built from sources that tools/setup fetched. Point the TP_*_DIR variables at
# checkouts of your own to use those instead.

set(TP_IMGUI_DIR ${tp_sources}/imgui CACHE PATH "Dear ImGui 1.90 sources")
set(TP_IMPLOT_DIR ${tp_sources}/implot CACHE PATH "ImPlot 0.17 sources")
set(TP_GTEST_DIR ${tp_sources}/googletest CACHE PATH "GoogleTest sources")
set(TP_EIGEN_DIR ${tp_cache}/eigen-1 CACHE PATH "Folder that holds Eigen 3.4's folder Eigen")
foreach(dir TP_IMGUI_DIR TP_IMPLOT_DIR TP_GTEST_DIR TP_EIGEN_DIR)
  if(NOT IS_DIRECTORY ${${dir}})
    message(FATAL_ERROR "${dir}=${${dir}} is not there. Run tools/setup native (or web), or set ${dir} to a checkout of your own.")
  endif()
endforeach()

add_library(tp_gtest STATIC EXCLUDE_FROM_ALL ${TP_GTEST_DIR}/googletest/src/gtest-all.cc)
target_include_directories(tp_gtest SYSTEM PUBLIC ${TP_GTEST_DIR}/googletest/include)
target_include_directories(tp_gtest PRIVATE ${TP_GTEST_DIR}/googletest)
target_link_libraries(tp_gtest PUBLIC tp_platform)
if(EMSCRIPTEN)
  target_compile_definitions(tp_gtest PUBLIC GTEST_HAS_PTHREAD=0)
endif()

# For the textbook (engine/textbook), principal components (engine/inspect), tests and measurements: the engine does
# without.
add_library(tp_eigen INTERFACE)
target_include_directories(tp_eigen SYSTEM INTERFACE ${TP_EIGEN_DIR})
target_compile_definitions(tp_eigen INTERFACE EIGEN_MPL2_ONLY)

set(TP_IMGUI_DRAW ${PROJECT_BINARY_DIR}/imgui/imgui_draw.cpp)
execute_process(
  COMMAND ${PROJECT_SOURCE_DIR}/tools/drop_default_font.py ${TP_IMGUI_DIR}/imgui_draw.cpp ${TP_IMGUI_DRAW}
  COMMAND_ERROR_IS_FATAL ANY)
add_library(tp_imgui STATIC
  ${TP_IMGUI_DIR}/imgui.cpp
  ${TP_IMGUI_DRAW}
  ${TP_IMGUI_DIR}/imgui_tables.cpp
  ${TP_IMGUI_DIR}/imgui_widgets.cpp
  ${TP_IMGUI_DIR}/backends/imgui_impl_opengl3.cpp)
target_include_directories(tp_imgui SYSTEM PUBLIC ${TP_IMGUI_DIR})
target_compile_definitions(tp_imgui PUBLIC
  IMGUI_DISABLE_DEMO_WINDOWS IMGUI_DISABLE_DEBUG_TOOLS IMGUI_DISABLE_OBSOLETE_FUNCTIONS
  IMGUI_DISABLE_FILE_FUNCTIONS
  $<$<BOOL:${EMSCRIPTEN}>:IMGUI_IMPL_OPENGL_ES3>)
target_link_libraries(tp_imgui PUBLIC tp_platform)

add_library(tp_implot STATIC ${TP_IMPLOT_DIR}/implot.cpp ${TP_IMPLOT_DIR}/implot_items.cpp)
target_include_directories(tp_implot SYSTEM PUBLIC ${TP_IMPLOT_DIR})
target_link_libraries(tp_implot PUBLIC tp_imgui)
# The only type that we plot: with all ten of them one file takes minutes to compile.
target_compile_definitions(tp_implot PRIVATE "IMPLOT_CUSTOM_NUMERIC_TYPES=(double)")
# Not debugged here.
target_compile_options(tp_gtest PRIVATE -g0)
target_compile_options(tp_imgui PRIVATE -g0)
target_compile_options(tp_implot PRIVATE -g0)

if(EMSCRIPTEN)
  # Interface code is tuned for size; only the engine is tuned for speed.
  target_compile_options(tp_imgui PRIVATE -Oz)
  target_compile_options(tp_implot PRIVATE -Oz)
  target_compile_definitions(tp_imgui PRIVATE sscanf=tp_scan)  # imgui_app/platform/web_scan.cpp
  target_compile_definitions(tp_implot PRIVATE BeginPopup=tp_no_menu)  # imgui_app/platform/web_menus.cpp
  # See imgui_app/platform/web_gl_state.cpp.
  set_source_files_properties(${TP_IMGUI_DIR}/backends/imgui_impl_opengl3.cpp PROPERTIES
    COMPILE_DEFINITIONS glGetIntegerv=tp_gl_state)
else()
  find_package(glfw3 REQUIRED)
  find_package(OpenGL REQUIRED)
  add_library(tp_imgui_glfw STATIC ${TP_IMGUI_DIR}/backends/imgui_impl_glfw.cpp)
  target_link_libraries(tp_imgui_glfw PUBLIC tp_imgui glfw OpenGL::GL)
endif()
