#pragma once

#include <algorithm>

// Work that several threads share. Only outputs are split, never a sum, so that no result depends
// on how many threads there are, or on which of them did what.

namespace tp {

// In a browser threads need a build of their own, and a page that is cross-origin isolated.
#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
inline constexpr bool kHasThreads = false;
#else
inline constexpr bool kHasThreads = true;
#endif

inline constexpr int kMostThreads = 64;

// Numbers that are worth a split, where little is done with each.
inline constexpr int kLeastSplit = 1 << 15;

// How many threads work for the calling one, itself included: one by default. Helper threads stay
// and wait until the number is lowered or the thread ends.
int threads();
void set_threads(int count);

// Calls function(context, part) for part = 0 ... parts - 1, at the same time where there are
// threads, and returns when all are done. A call from within a part runs all of its
// parts on the calling thread.
void run_parts(int parts, void (*function)(void*, int), void* context);

// Calls part(first, last) for ranges that together are 0 ... count, each as long as a multiple of
// `granule`. One call with everything, where that is not worth a split: `least` is how much of
// `count` is.
template <class Part>
inline void for_each_part(int count, int granule, int least, Part part) {
  if constexpr (kHasThreads) {
    // Twice as many parts as threads: a thread that is done early takes another.
    const int parts = count > 0 && count >= least && threads() > 1 ? 2 * threads() : 1;
    if (parts > 1) {
      const int even = (count + parts - 1) / parts;
      const int length = (even + granule - 1) / granule * granule;
      struct Context {
        Part& part;
        int count, length;
      } context{part, count, length};
      run_parts((count + length - 1) / length,
                [](void* given, int i) {
                  const Context& c = *static_cast<Context*>(given);
                  c.part(i * c.length, std::min((i + 1) * c.length, c.count));
                },
                &context);
      return;
    }
  }
  part(0, count);
}

}  // namespace tp
