#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/core/result.h"

// Structs as bytes and back. A struct says once which fields it has,
//
//   template <class Archive>
//   void fields(Archive& archive, Branch& branch) { archive(branch.id, branch.parent); }
//
// and both the Writer and the Reader follow that list. An enumeration says which value is its last:
// `constexpr EventKind last_of(EventKind) { return EventKind::stopped; }`.
//
//   message   magic (4 bytes), version (u16), the fields
//   numbers   little-endian; a double as its bits       bool   one byte, 0 or 1
//   string, vector   a count (u32), then the elements   optional   bool, then the value
//   variant   the index (one byte), then the value
//
// A Reader is given bytes from anywhere. It never reads past their end and never allocates for a
// count that they cannot hold.

namespace tp {

template <class T>
concept PlainNumber = std::is_arithmetic_v<T> && !std::same_as<T, bool>;

class Writer {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (write(values), ...);
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  template <PlainNumber T>
  void write(const T& value) {
    append(&value, sizeof(T));
  }
  void write(bool value) { write(static_cast<std::uint8_t>(value)); }
  template <class T>
  requires std::is_enum_v<T>
  void write(const T& value) { write(static_cast<std::uint8_t>(value)); }
  void write(const std::string& value) { write_run(std::span(value.data(), value.size())); }
  template <class T>
  void write(const std::vector<T>& values) {
    if constexpr (PlainNumber<T> || std::same_as<T, std::byte>) {
      write_run(std::span(values));
    } else {
      write(static_cast<std::uint32_t>(values.size()));
      for (const T& value : values) write(value);
    }
  }
  template <class T>
  void write(const std::optional<T>& value) {
    write(value.has_value());
    if (value) write(*value);
  }
  template <class... T>
  void write(const std::variant<T...>& value) {
    write(static_cast<std::uint8_t>(value.index()));
    std::visit([this](const auto& held) { this->write(held); }, value);
  }
  template <class T>
  requires std::is_class_v<T>
  void write(const T& value) {
    fields(*this, const_cast<T&>(value));  // a Writer only reads them
  }
  template <class T>
  void write_run(std::span<const T> values) {
    write(static_cast<std::uint32_t>(values.size()));
    append(values.data(), values.size_bytes());
  }
  // Not insert(): at -O3 GCC 12 takes its branches for writes past the end.
  void append(const void* values, std::size_t size) {
    if (size == 0) return;
    const std::size_t end = bytes_.size();
    bytes_.resize(end + size);
    std::memcpy(&bytes_[end], values, size);
  }

  static_assert(std::endian::native == std::endian::little, "numbers are copied as they stand");
  std::vector<std::byte> bytes_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}

  template <class... T>
  void operator()(T&... values) {
    (read(values), ...);
  }
  // Everything fitted, and nothing is left over.
  bool complete() const { return good_ && left_.empty(); }

 private:
  bool take(void* destination, std::size_t count) {
    good_ = good_ && count <= left_.size();
    if (!good_) return false;
    if (count > 0) std::memcpy(destination, left_.data(), count);
    left_ = left_.subspan(count);
    return true;
  }
  template <PlainNumber T>
  void read(T& value) {
    take(&value, sizeof(T));
  }
  void read(bool& value) {
    std::uint8_t byte = 0;
    read(byte);
    good_ = good_ && byte <= 1;
    value = byte == 1;
  }
  template <class T>
  requires std::is_enum_v<T>
  void read(T& value) {
    std::uint8_t byte = 0;
    read(byte);
    good_ = good_ && byte <= static_cast<std::uint8_t>(last_of(T{}));
    if (good_) value = static_cast<T>(byte);
  }
  void read(std::string& value) { read_run(value); }
  template <class T>
  void read(std::vector<T>& values) {
    if constexpr (PlainNumber<T> || std::same_as<T, std::byte>) {
      read_run(values);
    } else {
      std::uint32_t count = 0;
      read(count);
      values.clear();
      // One by one: memory grows with what was really there.
      for (std::uint32_t i = 0; i < count && good_ && !left_.empty(); ++i) {
        values.emplace_back();
        read(values.back());
      }
      good_ = good_ && values.size() == count;
    }
  }
  template <class T>
  void read(std::optional<T>& value) {
    bool there = false;
    read(there);
    value.reset();
    if (good_ && there) read(value.emplace());
  }
  template <class... T>
  void read(std::variant<T...>& value) {
    std::uint8_t index = 0;
    read(index);
    good_ = good_ && index < sizeof...(T);
    if (good_) read_alternative(value, index, std::index_sequence_for<T...>());
  }
  template <class Variant, std::size_t... kIndex>
  void read_alternative(Variant& value, std::size_t index, std::index_sequence<kIndex...>) {
    ((kIndex == index ? read(value.template emplace<kIndex>()) : void()), ...);
  }
  template <class T>
  requires std::is_class_v<T>
  void read(T& value) { fields(*this, value); }
  template <class Run>
  void read_run(Run& values) {
    std::uint32_t count = 0;
    read(count);
    constexpr std::size_t size = sizeof(typename Run::value_type);
    good_ = good_ && count <= left_.size() / size;
    if (!good_) return;
    values.resize(count);
    take(values.data(), count * size);
  }

  std::span<const std::byte> left_;
  bool good_ = true;
};

struct MessageKind {
  std::uint32_t magic;
  std::uint16_t version;
  const char* name;
};

template <class T>
std::vector<std::byte> encode_message(const MessageKind& kind, const T& message) {
  Writer writer;
  writer(kind.magic, kind.version, message);
  return writer.take();
}

template <class T>
Result<T> decode_message(const MessageKind& kind, std::span<const std::byte> bytes) {
  Reader reader(bytes);
  std::uint32_t magic = 0;
  std::uint16_t version = 0;
  reader(magic, version);
  if (magic != kind.magic) {
    return Error{std::string("these bytes are no ") + kind.name + ".",
                 "알 수 없는 자료입니다. 페이지를 새로 고쳐 주십시오."};
  }
  if (version != kind.version) {
    return Error{std::string("the ") + kind.name + " is of version " + std::to_string(version) +
                     " and this program speaks " + std::to_string(kind.version) +
                     ": load the page again.",
                 "페이지와 엔진의 판이 다릅니다. 페이지를 새로 고쳐 주십시오."};
  }
  T message;
  reader(message);
  if (!reader.complete()) {
    return Error{std::string("the ") + kind.name + " is damaged.",
                 "자료가 손상되었습니다. 페이지를 새로 고쳐 주십시오."};
  }
  return message;
}

}  // namespace tp
