#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>

#include "engine/core/check.h"
#include "engine/core/large_pages.h"
#include "engine/core/matrix.h"

namespace tp {

// One block of memory handed out front to back and taken back all at once, so that a steady
// training step allocates nothing. A measuring arena has no block: it hands out null pointers of
// the right size and counts, so the code that lays buffers out is also what says how much they
// take.
class Arena {
 public:
  static constexpr std::size_t kAlignment = 64;

  Arena() = default;  // measures
  explicit Arena(std::size_t bytes) : capacity_(bytes) {
    const std::align_val_t alignment{page_alignment(bytes, kAlignment)};
    auto* block = static_cast<std::byte*>(::operator new(bytes, alignment));
    request_large_pages(block, bytes);
    block_ = {block, Release{alignment}};
  }

  bool measuring() const { return block_ == nullptr; }
  std::size_t used() const { return used_; }
  std::size_t peak() const { return peak_; }
  std::size_t capacity() const { return capacity_; }

  // Everything handed out since used() returned `mark` may be handed out again.
  void rewind(std::size_t mark = 0) {
    TP_CHECK(mark <= used_, "an arena is rewound to an earlier mark");
    used_ = mark;
  }

  // Lets `count` users have the same memory, one after another: each one lays its buffers out from
  // the same place, and what follows begins after the largest.
  template <class LayOut>
  void overlap(int count, LayOut lay_out) {
    const std::size_t mark = used_;
    std::size_t farthest = mark;
    for (int i = 0; i < count; ++i) {
      rewind(mark);
      lay_out(i);
      farthest = std::max(farthest, used_);
    }
    used_ = farthest;
  }

  template <class T>
  std::span<T> array(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    std::byte* first = take(count * sizeof(T));
    return {reinterpret_cast<T*>(first), count};
  }

  template <class T>
  Matrix<T> matrix(int rows, int columns) {
    TP_CHECK(rows >= 0 && columns >= 0, "a matrix has no negative size");
    const auto count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    return {array<T>(count).data(), rows, columns};
  }

 private:
  struct Release {
    std::align_val_t alignment;
    void operator()(std::byte* block) const { ::operator delete(block, alignment); }
  };

  std::byte* take(std::size_t bytes) {
    const std::size_t first = used_;
    used_ += (bytes + kAlignment - 1) / kAlignment * kAlignment;
    peak_ = std::max(peak_, used_);
    if (measuring()) return nullptr;
    TP_CHECK(used_ <= capacity_, "the batch is larger than the buffers were made for");
    return block_.get() + first;
  }

  std::unique_ptr<std::byte, Release> block_;
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;
  std::size_t peak_ = 0;
};

}  // namespace tp
