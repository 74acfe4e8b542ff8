#include "engine/io/event_file.h"

#include <unistd.h>

#include <array>
#include <bit>
#include <cstdio>

namespace tp {
namespace {

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  constexpr std::uint32_t kPolynomial = 0x82f63b78;  // 0x1edc6f41 reflected
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    table[byte] = crc;
  }
  return table;
}
constexpr std::array<std::uint32_t, 256> kCrcTable = make_crc_table();

// A checksum of data that holds its own checksum says little, so records hold a scrambled one.
std::uint32_t masked_crc(std::span<const std::byte> bytes) {
  return std::rotr(crc32c(bytes), 15) + 0xa282ead8u;
}

// Protocol Buffers' wire format, as far as events need it.
class Message {
 public:
  void add_int64(int field, std::int64_t value) {
    add_tag(field, kVarint);
    add_varint(static_cast<std::uint64_t>(value));
  }
  void add_double(int field, double value) {
    add_tag(field, kFixed64);
    add_fixed(std::bit_cast<std::uint64_t>(value), 8);
  }
  void add_float(int field, float value) {
    add_tag(field, kFixed32);
    add_fixed(std::bit_cast<std::uint32_t>(value), 4);
  }
  void add_bytes(int field, std::span<const std::byte> bytes) {
    add_tag(field, kLengthDelimited);
    add_varint(bytes.size());
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void add_text(int field, std::string_view text) {
    add_bytes(field, std::as_bytes(std::span(text)));
  }
  void add_fixed(std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) bytes_.push_back(static_cast<std::byte>(value >> (8 * i)));
  }

  std::span<const std::byte> bytes() const { return bytes_; }
  std::vector<std::byte> take() && { return std::move(bytes_); }

 private:
  enum WireType : unsigned { kVarint = 0, kFixed64 = 1, kLengthDelimited = 2, kFixed32 = 5 };

  void add_tag(int field, WireType type) { add_varint(static_cast<unsigned>(field) << 3 | type); }
  // Seven bits a byte, the lowest first; the top bit says that more follow.
  void add_varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<std::byte>(value | 0x80));
    bytes_.push_back(static_cast<std::byte>(value));
  }

  std::vector<std::byte> bytes_;
};

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes) {
  std::uint32_t crc = 0xffffffffu;
  for (std::byte byte : bytes) {
    crc = (crc >> 8) ^ kCrcTable[(crc ^ static_cast<std::uint32_t>(byte)) & 0xff];
  }
  return ~crc;
}

std::vector<std::byte> tf_record(std::span<const std::byte> data) {
  Message length;
  length.add_fixed(data.size(), 8);
  Message record = length;
  record.add_fixed(masked_crc(length.bytes()), 4);
  std::vector<std::byte> bytes = std::move(record).take();
  bytes.insert(bytes.end(), data.begin(), data.end());
  Message check;
  check.add_fixed(masked_crc(data), 4);
  bytes.insert(bytes.end(), check.bytes().begin(), check.bytes().end());
  return bytes;
}

Result<EventFile> EventFile::create(const std::string& folder, double wall_time) {
  // The process tells apart what was started within one second.
  char name[64];
  std::snprintf(name, sizeof name, "/events.out.tfevents.%010lld.tp.%d",
                static_cast<long long>(wall_time), static_cast<int>(::getpid()));
  Result<AppendFile> file = AppendFile::open(folder + name, AppendFile::Mode::go_on);
  if (!file) return file.error();
  EventFile events(std::move(file.value()));
  Message version;
  version.add_double(1, wall_time);
  version.add_text(3, "brain.Event:2");
  if (Status status = events.file_.append(tf_record(version.bytes())); !status) {
    return status.error();
  }
  return events;
}

Status EventFile::add(double wall_time, std::int64_t step, std::span<const Scalar> scalars) {
  Message summary;
  for (const Scalar& scalar : scalars) {
    Message value;
    value.add_text(1, scalar.tag);
    value.add_float(2, scalar.value);
    summary.add_bytes(1, value.bytes());
  }
  Message event;
  event.add_double(1, wall_time);
  event.add_int64(2, step);
  event.add_bytes(5, summary.bytes());
  return file_.append(tf_record(event.bytes()));
}

}  // namespace tp
