#include "engine/io/safetensors_header.h"
#include "engine/core/small_sort.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <utility>

namespace tp {
namespace {

struct TypeInfo {
  std::string_view name;
  std::size_t size;
  bool floating;
};
constexpr std::array<TypeInfo, 8> kTypes = {{{"F64", 8, true},
                                             {"F32", 4, true},
                                             {"F16", 2, true},
                                             {"BF16", 2, true},
                                             {"I64", 8, false},
                                             {"I32", 4, false},
                                             {"U64", 8, false},
                                             {"U8", 1, false}}};

const TypeInfo& info_of(DType dtype) { return kTypes[static_cast<std::size_t>(dtype)]; }

std::optional<DType> dtype_named(std::string_view name) {
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i].name == name) return static_cast<DType>(i);
  }
  return std::nullopt;
}

// Takes the events of nlohmann's parser. Each returns false to stop; what was wrong is then in
// error().
class HeaderReader {
 public:
  explicit HeaderReader(std::size_t data_bytes) : data_bytes_(data_bytes) {}

  const std::string& error() const { return error_; }
  SafetensorsHeader& header() { return header_; }

  bool start_object(std::size_t) {
    switch (place_) {
      case Place::kOutside:
        return go(Place::kTop);
      case Place::kTop:
        return go(name_ == kMetadataName ? Place::kMetadata : Place::kTensor);
      default:
        return misplaced("an object");
    }
  }

  bool key(std::string& name) {
    switch (place_) {
      case Place::kTop:
        return begin_member(name);
      case Place::kMetadata:
        return begin_metadata(name);
      default:
        return begin_field(name);
    }
  }

  bool end_object() {
    if (place_ == Place::kTensor) return finish_tensor() && go(Place::kTop);
    return go(place_ == Place::kMetadata ? Place::kTop : Place::kOutside);
  }

  bool start_array(std::size_t) {
    if (place_ != Place::kTensor || field_ == Field::kDType) return misplaced("a list");
    return go(field_ == Field::kShape ? Place::kShape : Place::kOffsets);
  }

  bool end_array() {
    if (place_ == Place::kOffsets && offsets_.size() != 2) {
      return fail_tensor("needs two data_offsets");
    }
    return go(Place::kTensor);
  }

  bool string(std::string& text) {
    if (place_ == Place::kMetadata) {
      header_.metadata[name_] = text;
      return true;
    }
    if (place_ != Place::kTensor || field_ != Field::kDType) return misplaced("a text");
    const std::optional<DType> dtype = dtype_named(text);
    if (!dtype) {
      return fail_tensor("has the dtype " + shown_name(text) +
                         ", but only F64, F32, F16, BF16, I64, I32, U64 and U8 are supported");
    }
    tensor_.dtype = *dtype;
    return true;
  }

  bool number_unsigned(std::uint64_t number) {
    if (place_ == Place::kShape) {
      if (tensor_.shape.size() == kMaxRank) {
        return fail_tensor("has more than " + std::to_string(kMaxRank) + " dimensions");
      }
      if (number > std::numeric_limits<std::int64_t>::max()) return misplaced("a huge number");
      tensor_.shape.push_back(static_cast<std::int64_t>(number));
      return true;
    }
    if (place_ != Place::kOffsets) return misplaced("a number");
    if (offsets_.size() == 2) return fail_tensor("needs two data_offsets");
    offsets_.push_back(number);
    return true;
  }

  bool null() { return misplaced("null"); }
  bool boolean(bool) { return misplaced("a truth value"); }
  bool number_integer(std::int64_t) { return misplaced("a negative number"); }
  bool number_float(double, const std::string&) { return misplaced("a number that is not whole"); }
  bool binary(nlohmann::json::binary_t&) { return misplaced("binary data"); }

  template <class Exception>
  bool parse_error(std::size_t position, const std::string&, const Exception&) {
    return fail("its header is not valid JSON at byte " + std::to_string(position));
  }

 private:
  static constexpr std::string_view kMetadataName = "__metadata__";
  enum class Place { kOutside, kTop, kMetadata, kTensor, kShape, kOffsets };
  enum class Field { kDType, kShape, kOffsets };

  bool go(Place place) {
    place_ = place;
    return true;
  }

  bool fail(std::string what) {
    error_ = std::move(what);
    return false;
  }
  bool fail_tensor(const std::string& what) {
    return fail("tensor " + shown_name(name_) + " " + what);
  }

  bool misplaced(const std::string& what) {
    if (place_ == Place::kOutside) return fail("its header is not a JSON object");
    if (place_ == Place::kMetadata) {
      return fail("its metadata holds " + what + " instead of a text");
    }
    return fail_tensor("holds " + what + " where it does not belong");
  }

  bool begin_member(const std::string& name) {
    if (name.empty()) return fail("a tensor has no name");
    if (name.size() > kMaxNameBytes) {
      return fail("the tensor name " + shown_name(name) + " is longer than " +
                  std::to_string(kMaxNameBytes) + " bytes");
    }
    if (name == kMetadataName && std::exchange(has_metadata_, true)) {
      return fail("it has two blocks of metadata");
    }
    if (header_.tensors.size() == kMaxTensors && name != kMetadataName) {
      return fail("it holds more than " + std::to_string(kMaxTensors) + " tensors");
    }
    name_ = name;
    tensor_ = {};
    offsets_.clear();
    seen_ = {};
    return true;
  }

  bool begin_metadata(const std::string& name) {
    if (name.size() > kMaxNameBytes) {
      return fail("the metadata name " + shown_name(name) + " is longer than " +
                  std::to_string(kMaxNameBytes) + " bytes");
    }
    if (header_.metadata.contains(name)) {
      return fail("its metadata holds " + shown_name(name) + " twice");
    }
    if (header_.metadata.size() == kMaxMetadataEntries) {
      return fail("its metadata holds more than " + std::to_string(kMaxMetadataEntries) +
                  " entries");
    }
    name_ = name;
    return true;
  }

  bool begin_field(const std::string& name) {
    constexpr std::array<std::string_view, 3> kFields = {"dtype", "shape", "data_offsets"};
    const auto at = std::find(kFields.begin(), kFields.end(), name);
    if (at == kFields.end()) return fail_tensor("has the unknown property " + shown_name(name));
    const auto index = static_cast<std::size_t>(at - kFields.begin());
    if (std::exchange(seen_[index], true)) return fail_tensor("has " + name + " twice");
    field_ = static_cast<Field>(index);
    return true;
  }

  bool finish_tensor() {
    if (!std::all_of(seen_.begin(), seen_.end(), [](bool seen) { return seen; })) {
      return fail_tensor("lacks its dtype, its shape or its data_offsets");
    }
    if (offsets_[0] > offsets_[1] || offsets_[1] > data_bytes_) {
      return fail_tensor("lies outside the " + std::to_string(data_bytes_) + " bytes of data");
    }
    tensor_.begin = static_cast<std::size_t>(offsets_[0]);
    tensor_.end = static_cast<std::size_t>(offsets_[1]);
    std::uint64_t bytes = size_of(tensor_.dtype);
    for (const std::int64_t extent : tensor_.shape) {
      if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(extent), &bytes)) {
        return fail_tensor("has the impossible shape " + text_of(tensor_.shape));
      }
    }
    if (bytes != tensor_.end - tensor_.begin) {
      return fail_tensor("of shape " + text_of(tensor_.shape) + " needs " + std::to_string(bytes) +
                         " bytes but has " + std::to_string(tensor_.end - tensor_.begin));
    }
    tensor_.name = name_;
    header_.tensors.push_back(std::move(tensor_));
    return true;
  }

  std::size_t data_bytes_;
  SafetensorsHeader header_;
  std::string error_;

  Place place_ = Place::kOutside;
  std::string name_;  // of the member or metadata entry being read
  TensorEntry tensor_;
  std::vector<std::uint64_t> offsets_;
  Field field_ = Field::kDType;
  std::array<bool, 3> seen_{};  // by Field
  bool has_metadata_ = false;
};

// Sorts the tensors by their place in the data and sees that they cover it exactly.
std::string cover(std::vector<TensorEntry>& tensors, std::size_t data_bytes) {
  heap_sort(tensors, [](const TensorEntry& a, const TensorEntry& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  std::size_t end = 0;
  for (const TensorEntry& tensor : tensors) {
    if (tensor.begin != end) {
      return "tensor " + shown_name(tensor.name) + " begins at byte " +
             std::to_string(tensor.begin) +
             (tensor.begin < end ? ", inside a tensor that ends at byte "
                                 : ", after a gap that begins at byte ") +
             std::to_string(end);
    }
    end = tensor.end;
  }
  if (end == data_bytes) return "";
  return "its tensors end at byte " + std::to_string(end) + " of " + std::to_string(data_bytes) +
         " bytes of data";
}

std::string find_twin(const std::vector<TensorEntry>& tensors) {
  std::vector<std::string_view> names;
  names.reserve(tensors.size());
  for (const TensorEntry& tensor : tensors) names.push_back(tensor.name);
  heap_sort(names);
  const auto twin = std::adjacent_find(names.begin(), names.end());
  return twin == names.end() ? "" : "tensor " + shown_name(*twin) + " is there twice";
}

}  // namespace

std::string_view name_of(DType dtype) { return info_of(dtype).name; }
std::size_t size_of(DType dtype) { return info_of(dtype).size; }
bool is_floating(DType dtype) { return info_of(dtype).floating; }

std::string text_of(std::span<const std::int64_t> shape) {
  std::string text = "[";
  for (const std::int64_t extent : shape) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(extent);
  }
  return text + "]";
}

Result<SafetensorsHeader> parse_safetensors_header(std::string_view json, std::size_t data_bytes) {
  if (json.size() > kMaxHeaderBytes) {
    return Error{"its header of " + std::to_string(json.size()) +
                 " bytes is longer than the limit of " + std::to_string(kMaxHeaderBytes)};
  }
  // The parser would skip a byte order mark, and take a zero byte for the end of the text.
  if (!json.starts_with('{') || json.find('\0') != json.npos) {
    return Error{"its header is not a JSON object"};
  }
  HeaderReader reader(data_bytes);
  if (!nlohmann::json::sax_parse(json.begin(), json.end(), &reader)) return Error{reader.error()};
  SafetensorsHeader& header = reader.header();
  std::string wrong = find_twin(header.tensors);
  if (wrong.empty()) wrong = cover(header.tensors, data_bytes);
  if (!wrong.empty()) return Error{wrong};
  return std::move(header);
}

}  // namespace tp
