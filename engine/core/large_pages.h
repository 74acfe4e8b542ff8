#pragma once

#include <cstddef>

// Memory that is read with long strides has fewer TLB misses in pages of megabytes than in pages of
// kilobytes. Linux gives such pages on request; elsewhere nothing happens.

namespace tp {

// What a block of so many bytes should be aligned to, at least `least`.
std::size_t page_alignment(std::size_t bytes, std::size_t least);
void request_large_pages(void* block, std::size_t bytes);

}  // namespace tp
