#include "engine/core/large_pages.h"

#if defined(__linux__)

#include <sys/mman.h>

namespace tp {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

}  // namespace

std::size_t page_alignment(std::size_t bytes, std::size_t least) {
  return bytes < kLargePage ? least : kLargePage;
}

void request_large_pages(void* block, std::size_t bytes) {
  if (bytes >= kLargePage) madvise(block, bytes, MADV_HUGEPAGE);  // a wish: no matter if refused
}

}  // namespace tp

#else

namespace tp {

std::size_t page_alignment(std::size_t, std::size_t least) { return least; }
void request_large_pages(void*, std::size_t) {}

}  // namespace tp

#endif
