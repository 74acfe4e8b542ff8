#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/result.h"
#include "engine/core/shown_name.h"

// The JSON header of a safetensors file: which tensors there are, and where.
//
//   {"__metadata__": {"key": "value", ...},
//    "name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...}
//
// It comes from outside and is believed in nothing: it is read as a stream of events, without a
// tree, and refused at the first thing that is out of place.

namespace tp {

// Limits, all checked before anything of that size is allocated. With them everything that is
// allocated while a header is read, added up, stays below 16 MB.
inline constexpr std::size_t kMaxHeaderBytes = 512 << 10;
inline constexpr std::size_t kMaxTensors = 4'096;
inline constexpr std::size_t kMaxNameBytes = 256;
inline constexpr std::size_t kMaxRank = 8;
inline constexpr std::size_t kMaxMetadataEntries = 1'024;

// The types of the format that are supported here.
enum class DType : std::uint8_t { kF64, kF32, kF16, kBF16, kI64, kI32, kU64, kU8 };
std::string_view name_of(DType dtype);
std::size_t size_of(DType dtype);
bool is_floating(DType dtype);

using Shape = std::vector<std::int64_t>;
using Metadata = std::map<std::string, std::string, std::less<>>;

struct TensorEntry {
  std::string name;
  DType dtype = DType::kF32;
  Shape shape;
  std::size_t begin = 0, end = 0;  // in bytes, within the data that follows the header

  std::size_t elements() const { return (end - begin) / size_of(dtype); }
};

struct SafetensorsHeader {
  std::vector<TensorEntry> tensors;  // in the order of their data
  Metadata metadata;
};

// Accepts only a header whose tensors cover `data_bytes` exactly: no gap, no overlap, nothing
// beyond. The error says what is wrong; the caller adds what was being done and what to do.
Result<SafetensorsHeader> parse_safetensors_header(std::string_view json, std::size_t data_bytes);

// [2, 3]
std::string text_of(std::span<const std::int64_t> shape);

}  // namespace tp
