#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/io/file.h"
#include "engine/io/safetensors_header.h"

// Safetensors files: named arrays, as PyTorch users exchange them.
//
//   8 bytes   length of the header, little-endian
//   header    JSON, see safetensors_header.h
//   data      the tensors one after another, little-endian, row-major
//
// A file is either understood completely or refused with a sentence that says what is wrong with
// it.

namespace tp {

inline constexpr std::size_t kMaxSafetensorsBytes = std::size_t{1} << 30;

// A tensor that the reader expects to find.
struct WantedTensor {
  std::string_view name;
  std::span<const std::int64_t> shape;
};

class Safetensors {
 public:
  // Of bytes that must outlive the result.
  static Result<Safetensors> parse(std::span<const std::byte> bytes);
  // Of a file, whose bytes the result keeps.
  static Result<Safetensors> read(const std::string& path);

  const std::vector<TensorEntry>& tensors() const { return header_.tensors; }
  const Metadata& metadata() const { return header_.metadata; }
  const TensorEntry* find(std::string_view name) const;  // nullptr where there is none

  // As they stand in the file: for integers, and where no conversion is wanted. Not aligned.
  std::span<const std::byte> bytes(const TensorEntry& tensor) const;

  // Converts any floating-point tensor; its size must be that of `values`. F64 to float is rounded
  // to nearest. On an error nothing was written.
  Status read_into(const TensorEntry& tensor, std::span<float> values) const;
  Status read_into(const TensorEntry& tensor, std::span<double> values) const;

  // Are these the floating-point tensors that the file holds, all of them and no others? The error
  // names the missing, the unknown and those of another shape or type. After a match read_into
  // cannot fail.
  Status match(std::span<const WantedTensor> wanted) const;

 private:
  Safetensors(SafetensorsHeader header, std::span<const std::byte> data);

  SafetensorsHeader header_;
  std::span<const std::byte> data_;
  std::vector<std::uint32_t> by_name_;  // indices into header_.tensors, sorted by name
  FileBytes file_;                      // what data_ points into, when it came from a file
};

// A tensor to save. `bytes` are little-endian, row-major.
struct TensorToWrite {
  std::string_view name;
  DType dtype;
  std::span<const std::int64_t> shape;
  std::span<const std::byte> bytes;
};
TensorToWrite tensor_to_write(std::string_view name, std::span<const std::int64_t> shape,
                              std::span<const float> values);

// The metadata with one more entry, `checksum`: a fingerprint of everything else in the file. Where
// a file has one, parse() computes it again and refuses a file in which anything changed.
Metadata with_checksum(std::span<const TensorToWrite> tensors, Metadata metadata);

// The same tensors and metadata give the same bytes. Data begins at a multiple of 8, wide types
// first, so that every tensor is aligned. What parse would refuse is not written but answered with
// its error.
Result<std::vector<std::byte>> safetensors_bytes(std::span<const TensorToWrite> tensors,
                                                 const Metadata& metadata = {});
Status write_safetensors(const std::string& path, std::span<const TensorToWrite> tensors,
                         const Metadata& metadata = {});

}  // namespace tp
