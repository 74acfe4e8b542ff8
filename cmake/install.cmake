# The engine for find_package(TransformerPlayground): the library, its headers and what CMake reads.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/TransformerPlayground)
set(header_folder ${CMAKE_INSTALL_INCLUDEDIR}/transformer_playground)
set_target_properties(tp_engine PROPERTIES EXPORT_NAME engine)
target_include_directories(tp_engine PUBLIC $<INSTALL_INTERFACE:${header_folder}>)
install(TARGETS tp_engine EXPORT TransformerPlayground COMPONENT engine ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT TransformerPlayground COMPONENT engine NAMESPACE TransformerPlayground::
  FILE TransformerPlaygroundTargets.cmake DESTINATION ${package_folder})
# core/json.h is for our own sources: it needs a library that users of the engine do not.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/engine COMPONENT engine DESTINATION ${header_folder}
  FILES_MATCHING PATTERN "*.h" PATTERN "json.h" EXCLUDE)

file(CONFIGURE OUTPUT TransformerPlaygroundConfig.cmake @ONLY CONTENT
"include(CMakeFindDependencyMacro)
find_dependency(Threads)
include(\${CMAKE_CURRENT_LIST_DIR}/TransformerPlaygroundTargets.cmake)
")
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/TransformerPlaygroundConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/TransformerPlaygroundConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/TransformerPlaygroundConfigVersion.cmake
  COMPONENT engine DESTINATION ${package_folder})
