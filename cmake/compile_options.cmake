# tp_options: how every target of ours is compiled.  tp_platform: what third-party code shares with it.

add_library(tp_platform INTERFACE)
# No exceptions anywhere: WebAssembly aborts on a throw, and both builds must behave alike.
# No contraction: a*b+c is rounded twice on every target, so that runs agree bit for bit.
# No errno and no floating-point traps: neither is read, no value changes, and without the two flags
# GCC leaves every loop with a select or a square root scalar.
target_compile_options(tp_platform INTERFACE
  -ffp-contract=off -fno-math-errno -fno-trapping-math
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti>)

if(EMSCRIPTEN)
  # Copies by one instruction, which every engine with SIMD has.
  target_compile_options(tp_platform INTERFACE -msimd128 -mbulk-memory)
  if(TP_WEB_THREADS)
    target_compile_options(tp_platform INTERFACE -pthread)
    # The helpers are started with the module: a thread cannot be started while the one that starts it is busy.
    # Memory that is shared and grows is slow to reach from JavaScript, which copies snapshots only.
    set(tp_thread_options -pthread -sPTHREAD_POOL_SIZE=Module.helpers -Wno-pthreads-mem-growth)
  endif()
  # The default stack of 64 KB is too small for ImGui, and an overflow would be silent.
  target_link_options(tp_platform INTERFACE -sSTACK_SIZE=1MB -sALLOW_MEMORY_GROWTH)
elseif(TP_SANITIZE)
  target_compile_options(tp_platform INTERFACE
    -fsanitize=${TP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(tp_platform INTERFACE -fsanitize=${TP_SANITIZE})
endif()
if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
  target_compile_definitions(tp_platform INTERFACE _GLIBCXX_ASSERTIONS)
endif()

add_library(tp_options INTERFACE)
target_link_libraries(tp_options INTERFACE tp_platform)
target_include_directories(tp_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(tp_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough
  # GCC 12 takes "text" + std::string for an overlapping copy at -O3 (its bug 105651).
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-restrict>
  $<$<BOOL:${TP_WERROR}>:-Werror>)
