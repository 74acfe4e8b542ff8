# Sources that are compiled once for each width of vectors a machine may have: engine/kernels/vector.h.
# GCC makes vector code of plain loops from -O3 on only.

function(tp_vector_objects name width bytes)
  cmake_parse_arguments(PARSE_ARGV 3 given "" "" "SOURCES;OPTIONS")
  add_library(${name} OBJECT ${given_SOURCES})
  target_link_libraries(${name} PRIVATE tp_options)
  target_compile_definitions(${name} PRIVATE TP_VECTORS=${width} TP_VECTOR_BYTES=${bytes})
  target_compile_options(${name} PRIVATE -O3 ${given_OPTIONS})
endfunction()

# tp_for_each_width(library name sources...): adds the sources to the library in every width.
function(tp_for_each_width library name)
  tp_vector_objects(tp_${name}_v128 v128 16 SOURCES ${ARGN})
  target_sources(${library} PRIVATE $<TARGET_OBJECTS:tp_${name}_v128>)
  if(EMSCRIPTEN)
    tp_vector_objects(tp_${name}_relaxed v128 16 SOURCES ${ARGN} OPTIONS -mrelaxed-simd)
    set_target_properties(tp_${name}_relaxed PROPERTIES EXCLUDE_FROM_ALL TRUE)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    tp_vector_objects(tp_${name}_v256 v256 32 SOURCES ${ARGN} OPTIONS -mavx2 -mfma)
    tp_vector_objects(tp_${name}_v512 v512 64 SOURCES ${ARGN}
      OPTIONS -mavx512f -mavx512vl -mavx512bw -mavx512dq -mfma -mprefer-vector-width=512 -falign-functions=64 -falign-loops=64)
    target_sources(${library} PRIVATE $<TARGET_OBJECTS:tp_${name}_v256> $<TARGET_OBJECTS:tp_${name}_v512>)
    target_compile_definitions(${library} PRIVATE TP_WIDE_VECTORS)
  endif()
endfunction()

# tp_use_relaxed_simd(program names...): links what tp_for_each_width made with relaxed SIMD, in place of
# the same functions in the library. A browser that lacks the instructions refuses the whole module.
function(tp_use_relaxed_simd program)
  foreach(name ${ARGN})
    target_sources(${program} PRIVATE $<TARGET_OBJECTS:tp_${name}_relaxed>)
  endforeach()
  target_link_options(${program} PRIVATE -mrelaxed-simd)
endfunction()
