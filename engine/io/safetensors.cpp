#include "engine/io/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <numeric>
#include <utility>

#include "engine/core/half.h"
#include "engine/core/hash.h"
#include "engine/core/small_sort.h"

namespace tp {
namespace {

static_assert(std::endian::native == std::endian::little,
              "numbers are copied between file and memory as they are");

constexpr std::size_t kLengthBytes = 8;

constexpr const char* kChecksum = "checksum";

Hash& add_text(Hash& hash, std::string_view text) {
  return hash.add(std::uint64_t{text.size()}).add(std::as_bytes(std::span(text)));
}

std::uint64_t hash_of(std::string_view name, DType dtype, std::span<const std::int64_t> shape,
                      std::span<const std::byte> bytes) {
  Hash hash;
  return add_text(hash, name)
      .add(static_cast<std::uint64_t>(dtype))
      .add(std::as_bytes(shape))
      .add(bytes)
      .value();
}

std::uint64_t hash_of(const Metadata& metadata) {
  Hash hash;
  for (const auto& [key, value] : metadata) {
    if (key != kChecksum) add_text(add_text(hash, key), value);
  }
  return hash.value();
}

std::string hexadecimal(std::uint64_t value) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text(16, '0');
  for (int i = 15; i >= 0; --i, value >>= 4)
    text[static_cast<std::size_t>(i)] = kDigits[value & 15];
  return text;
}

// The i-th element of an array of T that may not be aligned.
template <class T>
T element(std::span<const std::byte> bytes, std::size_t i) {
  T value;
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

template <class To>
Status convert(const TensorEntry& tensor, std::span<const std::byte> bytes, std::span<To> values) {
  if (values.size() != tensor.elements()) {
    return Error{"tensor " + shown_name(tensor.name) + " holds " +
                 std::to_string(tensor.elements()) + " numbers where " +
                 std::to_string(values.size()) +
                 " are wanted; use the configuration that it was saved with"};
  }
  const auto each = [&](auto value_at) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_at(i);
    return Done{};
  };
  switch (tensor.dtype) {
    case DType::kF64:
      return each([&](std::size_t i) { return static_cast<To>(element<double>(bytes, i)); });
    case DType::kF32:
      return each([&](std::size_t i) { return element<float>(bytes, i); });
    case DType::kF16:
      return each([&](std::size_t i) { return float_from_half(element<std::uint16_t>(bytes, i)); });
    case DType::kBF16:
      return each(
          [&](std::size_t i) { return float_from_bfloat(element<std::uint16_t>(bytes, i)); });
    default:
      return Error{"tensor " + shown_name(tensor.name) + " holds integers (" +
                   std::string(name_of(tensor.dtype)) +
                   ") where floating-point numbers are wanted; save it as F32"};
  }
}

// "missing 'a', 'b' and 3 more": enough to recognise the mistake, short enough to read.
class Complaints {
 public:
  void add(const std::string& kind, const std::string& what) {
    Group& group = groups_[kind];
    if (++group.count <= kShown) group.text += (group.count > 1 ? ", " : "") + what;
  }

  bool empty() const { return groups_.empty(); }

  std::string text() const {
    std::string all;
    for (const auto& [kind, group] : groups_) {
      if (!all.empty()) all += "; ";
      all += kind + " " + group.text;
      if (group.count > kShown) all += " and " + std::to_string(group.count - kShown) + " more";
    }
    return all;
  }

 private:
  static constexpr std::size_t kShown = 5;
  struct Group {
    std::size_t count = 0;
    std::string text;
  };
  std::map<std::string, Group> groups_;
};

void append_json_text(std::string& json, std::string_view text) {
  json += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr char kDigits[] = "0123456789abcdef";
      json += "\\u00";
      json += kDigits[c >> 4];
      json += kDigits[c & 15];
    } else {
      json += c;
    }
  }
  json += '"';
}

void append_json_list(std::string& json, std::span<const std::int64_t> numbers) {
  json += '[';
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) json += ',';
    json += std::to_string(numbers[i]);
  }
  json += ']';
}

std::string header_text(std::span<const TensorToWrite> tensors, const Metadata& metadata) {
  std::string json = "{";
  if (!metadata.empty()) {
    json += "\"__metadata__\":{";
    for (bool first = true; const auto& [key, value] : metadata) {
      if (!std::exchange(first, false)) json += ',';
      append_json_text(json, key);
      json += ':';
      append_json_text(json, value);
    }
    json += '}';
  }
  std::int64_t offset = 0;
  for (const TensorToWrite& tensor : tensors) {
    if (json.size() > 1) json += ',';
    append_json_text(json, tensor.name);
    json += ":{\"dtype\":\"" + std::string(name_of(tensor.dtype)) + "\",\"shape\":";
    append_json_list(json, tensor.shape);
    json += ",\"data_offsets\":";
    const std::int64_t end = offset + static_cast<std::int64_t>(tensor.bytes.size());
    append_json_list(json, std::array{offset, end});
    json += '}';
    offset = end;
  }
  json += '}';
  json.append((8 - json.size() % 8) % 8, ' ');
  return json;
}

// The length, the header and the data of each tensor, ready to be written one after another.
struct Parts {
  std::array<std::byte, kLengthBytes> length;
  std::string header;
  std::vector<std::span<const std::byte>> data;

  std::vector<std::span<const std::byte>> all() const {
    std::vector<std::span<const std::byte>> parts = {length, std::as_bytes(std::span(header))};
    parts.insert(parts.end(), data.begin(), data.end());
    return parts;
  }
};

Result<Parts> parts_of(std::span<const TensorToWrite> tensors, const Metadata& metadata) {
  std::vector<TensorToWrite> ordered(tensors.begin(), tensors.end());
  small_sort(ordered,
             [](const TensorToWrite& tensor) { return -static_cast<int>(size_of(tensor.dtype)); });
  Parts parts;
  std::size_t data_bytes = 0;
  for (const TensorToWrite& tensor : ordered) {
    parts.data.push_back(tensor.bytes);
    data_bytes += tensor.bytes.size();
  }
  parts.header = header_text(ordered, metadata);
  parts.length = std::bit_cast<decltype(parts.length)>(std::uint64_t{parts.header.size()});
  // One set of rules for both directions: the reader checks what was just made.
  const Result<SafetensorsHeader> check = parse_safetensors_header(parts.header, data_bytes);
  if (!check) return Error{"cannot save these tensors: " + check.error().message};
  return parts;
}

}  // namespace

Safetensors::Safetensors(SafetensorsHeader header, std::span<const std::byte> data)
    : header_(std::move(header)), data_(data), by_name_(header_.tensors.size()) {
  std::iota(by_name_.begin(), by_name_.end(), 0u);
  heap_sort(by_name_, [&](std::uint32_t a, std::uint32_t b) {
    return header_.tensors[a].name < header_.tensors[b].name;
  });
}

Result<Safetensors> Safetensors::parse(std::span<const std::byte> bytes) {
  const auto refuse = [](const std::string& what) {
    return Error{
        "cannot use this safetensors file: " + what + "; save or download it again",
        "쓸 수 없는 safetensors 파일입니다. 다시 저장하거나 내려받아 주십시오. (" + what + ")"};
  };
  if (bytes.size() < kLengthBytes) {
    return refuse("its " + std::to_string(bytes.size()) + " bytes are too few for a header");
  }
  const std::size_t rest = bytes.size() - kLengthBytes;
  const auto length = element<std::uint64_t>(bytes, 0);
  if (length > std::min(rest, kMaxHeaderBytes)) {
    return refuse("it announces a header of " + std::to_string(length) + " bytes, but " +
                  (length > rest ? std::to_string(rest) + " follow"
                                 : std::to_string(kMaxHeaderBytes) + " are the limit"));
  }
  const auto header_bytes = static_cast<std::size_t>(length);
  const std::string_view json(reinterpret_cast<const char*>(bytes.data()) + kLengthBytes,
                              header_bytes);
  Result<SafetensorsHeader> header = parse_safetensors_header(json, rest - header_bytes);
  if (!header) return refuse(header.error().message);
  Safetensors file(std::move(header.value()), bytes.subspan(kLengthBytes + header_bytes));
  if (const auto checksum = file.metadata().find(kChecksum); checksum != file.metadata().end()) {
    std::uint64_t sum = hash_of(file.metadata());
    for (const TensorEntry& tensor : file.tensors()) {
      sum += hash_of(tensor.name, tensor.dtype, tensor.shape, file.bytes(tensor));
    }
    if (hexadecimal(sum) != checksum->second) {
      return refuse("its checksum is not that of its content, so something in it has changed");
    }
  }
  return file;
}

Result<Safetensors> Safetensors::read(const std::string& path) {
  Result<FileBytes> file = read_file(path, kMaxSafetensorsBytes);
  if (!file) return file.error();
  Result<Safetensors> parsed = parse(file.value().bytes());
  if (!parsed) return Error{"'" + path + "': " + parsed.error().message};
  parsed.value().file_ = std::move(file.value());
  return parsed;
}

const TensorEntry* Safetensors::find(std::string_view name) const {
  const auto at = std::lower_bound(
      by_name_.begin(), by_name_.end(), name,
      [&](std::uint32_t i, std::string_view wanted) { return header_.tensors[i].name < wanted; });
  if (at == by_name_.end() || header_.tensors[*at].name != name) return nullptr;
  return &header_.tensors[*at];
}

std::span<const std::byte> Safetensors::bytes(const TensorEntry& tensor) const {
  return data_.subspan(tensor.begin, tensor.end - tensor.begin);
}

Status Safetensors::read_into(const TensorEntry& tensor, std::span<float> values) const {
  return convert(tensor, bytes(tensor), values);
}
Status Safetensors::read_into(const TensorEntry& tensor, std::span<double> values) const {
  return convert(tensor, bytes(tensor), values);
}

Status Safetensors::match(std::span<const WantedTensor> wanted) const {
  Complaints complaints;
  std::vector<bool> known(tensors().size());
  for (const WantedTensor& want : wanted) {
    const TensorEntry* tensor = find(want.name);
    if (tensor == nullptr) {
      complaints.add("missing", shown_name(want.name));
      continue;
    }
    known[static_cast<std::size_t>(tensor - tensors().data())] = true;
    if (!std::equal(tensor->shape.begin(), tensor->shape.end(), want.shape.begin(),
                    want.shape.end())) {
      complaints.add("of another shape", shown_name(want.name) + " (" + text_of(tensor->shape) +
                                             " instead of " + text_of(want.shape) + ")");
    } else if (!is_floating(tensor->dtype)) {
      complaints.add("of another type", shown_name(want.name) + " (" +
                                            std::string(name_of(tensor->dtype)) +
                                            " instead of floating-point numbers)");
    }
  }
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!known[i]) complaints.add("unknown", shown_name(tensors()[i].name));
  }
  if (complaints.empty()) return Done{};
  return Error{"the file does not fit this model: " + complaints.text() +
                   "; use the configuration that it was saved with",
               "이 모델에 맞지 않는 파일입니다. 저장할 때와 같은 설정을 써 주십시오. (" +
                   complaints.text() + ")"};
}

TensorToWrite tensor_to_write(std::string_view name, std::span<const std::int64_t> shape,
                              std::span<const float> values) {
  return {name, DType::kF32, shape, std::as_bytes(values)};
}

// A sum over the tensors: they are written in another order than they are given in.
Metadata with_checksum(std::span<const TensorToWrite> tensors, Metadata metadata) {
  std::uint64_t sum = hash_of(metadata);
  for (const TensorToWrite& tensor : tensors) {
    sum += hash_of(tensor.name, tensor.dtype, tensor.shape, tensor.bytes);
  }
  metadata[kChecksum] = hexadecimal(sum);
  return metadata;
}

Result<std::vector<std::byte>> safetensors_bytes(std::span<const TensorToWrite> tensors,
                                                 const Metadata& metadata) {
  const Result<Parts> parts = parts_of(tensors, metadata);
  if (!parts) return parts.error();
  std::vector<std::byte> bytes;
  for (const std::span<const std::byte> part : parts.value().all()) {
    bytes.insert(bytes.end(), part.begin(), part.end());
  }
  return bytes;
}

Status write_safetensors(const std::string& path, std::span<const TensorToWrite> tensors,
                         const Metadata& metadata) {
  const Result<Parts> parts = parts_of(tensors, metadata);
  if (!parts) return parts.error();
  return write_file(path, parts.value().all());
}

}  // namespace tp
