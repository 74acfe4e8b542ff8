#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "engine/core/result.h"

// Whole files as bytes. Every error names the file, what the system said and what to do.

namespace tp {

struct FileBytes {
  std::unique_ptr<std::byte[]> data;
  std::size_t size = 0;

  std::span<const std::byte> bytes() const { return {data.get(), size}; }
};

// Refuses what is not a regular file or is larger than `limit`, before allocating.
Result<FileBytes> read_file(const std::string& path, std::size_t limit);

// Writes the parts one after another into a temporary file beside `path`, waits until they are on
// the disk, then renames it: whatever happens, `path` holds either the old content or the new.
Status write_file(const std::string& path, std::span<const std::span<const std::byte>> parts);

// Removes from a folder what write_file left there when its program was killed.
void remove_partial_files(const std::string& folder);

}  // namespace tp
