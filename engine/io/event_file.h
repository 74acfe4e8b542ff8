#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/append_file.h"

// TensorBoard event files with scalars. A file is a sequence of TFRecords,
//
//   8 bytes   length of the data, little-endian
//   4 bytes   masked CRC-32C of these 8 bytes
//   data      an Event message of Protocol Buffers
//   4 bytes   masked CRC-32C of the data
//
// and of the messages only these fields are used:
//
//   Event          1 wall_time: double    2 step: int64    3 file_version: string    5 summary
//   Summary        1 value: repeated Value
//   Value          1 tag: string          2 simple_value: float
//
// The first event has the version alone.

namespace tp {

struct Scalar {
  std::string_view tag;
  float value;
};

class EventFile {
 public:
  // In `folder`, under the name that TensorBoard looks for; `wall_time` is in seconds since 1970.
  // A file of that name is never replaced.
  static Result<EventFile> create(const std::string& folder, double wall_time);

  Status add(double wall_time, std::int64_t step, std::span<const Scalar> scalars);
  const std::string& path() const { return file_.path(); }

 private:
  explicit EventFile(AppendFile file) : file_(std::move(file)) {}

  AppendFile file_;
};

// CRC-32C (Castagnoli, reflected), as of the bytes "123456789": 0xe3069283.
std::uint32_t crc32c(std::span<const std::byte> bytes);

// The record that holds `data`.
std::vector<std::byte> tf_record(std::span<const std::byte> data);

}  // namespace tp
