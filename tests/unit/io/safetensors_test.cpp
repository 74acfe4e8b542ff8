#include "engine/io/safetensors.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

namespace tp {
namespace {

using Bytes = std::vector<std::byte>;

// A file from its two halves, with whatever mistakes they contain.
Bytes file_of(std::string_view header, std::size_t data_bytes) {
  Bytes bytes(8 + header.size() + data_bytes);
  const std::uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, 8);
  std::memcpy(bytes.data() + 8, header.data(), header.size());
  for (std::size_t i = 0; i < data_bytes; ++i) {
    bytes[8 + header.size() + i] = static_cast<std::byte>(i);
  }
  return bytes;
}

template <class T>
void expect_error(const Result<T>& result, std::string_view fragment) {
  ASSERT_FALSE(result.ok()) << "accepted, where an error about \"" << fragment << "\" is due";
  EXPECT_NE(result.error().message.find(fragment), std::string::npos) << result.error().message;
}

void expect_refused(std::string_view header, std::size_t data_bytes, std::string_view fragment) {
  SCOPED_TRACE(header.substr(0, 200));
  const Bytes bytes = file_of(header, data_bytes);
  expect_error(Safetensors::parse(bytes), fragment);
}

TEST(Safetensors, WhatIsWrittenIsRead) {
  const std::int64_t matrix_shape[] = {2, 3}, vector_shape[] = {3};
  const float matrix[] = {1, -2.5f, 0x1.234568p-100f, INFINITY, -0.0f, 1e-45f};
  const float vector[] = {7, 8, 9};
  const TensorToWrite tensors[] = {
      tensor_to_write("layer.weight", matrix_shape, matrix),
      tensor_to_write("layer.bias \"\\\n\u00e9", vector_shape, vector)};
  const Metadata metadata = {{"format", "pt"}, {"config", "{\"d_model\": 64}\t\x01"}};
  const Result<Bytes> bytes = safetensors_bytes(tensors, metadata);
  ASSERT_TRUE(bytes) << bytes.error().message;

  const Result<Safetensors> file = Safetensors::parse(bytes.value());
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file.value().metadata(), metadata);
  ASSERT_EQ(file.value().tensors().size(), 2u);
  for (const TensorToWrite& written : tensors) {
    const TensorEntry* found = file.value().find(written.name);
    ASSERT_NE(found, nullptr) << written.name;
    EXPECT_EQ(found->dtype, DType::kF32);
    EXPECT_TRUE(std::equal(found->shape.begin(), found->shape.end(), written.shape.begin(),
                           written.shape.end()));
    std::vector<float> values(found->elements());
    ASSERT_TRUE(file.value().read_into(*found, values));
    EXPECT_EQ(std::memcmp(values.data(), written.bytes.data(), written.bytes.size()), 0);
  }
  EXPECT_EQ(file.value().find("layer"), nullptr);
  EXPECT_EQ(file.value().find("zzz"), nullptr);
}

TEST(Safetensors, WithAChecksumNoFlippedBitOfTheContentStaysUnseen) {
  const std::int64_t shape[] = {2, 2}, whole_shape[] = {1};
  const float values[] = {1, 2, 3, 4};
  const std::int64_t whole[] = {5};
  const TensorToWrite tensors[] = {
      tensor_to_write("w", shape, values),
      {"i", DType::kI64, whole_shape, std::as_bytes(std::span(whole))}};
  Result<Bytes> bytes = safetensors_bytes(tensors, with_checksum(tensors, {{"steps", "15"}}));
  ASSERT_TRUE(bytes);
  const Result<Safetensors> intact = Safetensors::parse(bytes.value());
  ASSERT_TRUE(intact) << intact.error().message;
  std::size_t unseen = 0;
  for (std::size_t bit = 0; bit < 8 * bytes.value().size(); ++bit) {
    const auto mask = static_cast<std::byte>(1 << bit % 8);
    bytes.value()[bit / 8] ^= mask;
    const Result<Safetensors> file = Safetensors::parse(bytes.value());
    // A file whose checksum lost its name has none, and its content is what it was.
    if (file) {
      EXPECT_FALSE(file.value().metadata().contains("checksum")) << bit;
      ++unseen;
    }
    bytes.value()[bit / 8] ^= mask;
  }
  EXPECT_LE(unseen, 8 * std::string_view("checksum").size());
}

TEST(Safetensors, TheBytesAreThoseOfTheFormat) {
  const std::int64_t shape[] = {1, 2};
  const float values[] = {1, 2};
  const TensorToWrite tensors[] = {tensor_to_write("w", shape, values)};
  const Result<Bytes> bytes = safetensors_bytes(tensors, {{"a", "b"}});
  ASSERT_TRUE(bytes);
  const std::string_view header =
      R"({"__metadata__":{"a":"b"},"w":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}       )";
  ASSERT_EQ(header.size() % 8, 0u);
  Bytes expected = file_of(header, 8);
  std::memcpy(expected.data() + 8 + header.size(), values, 8);
  EXPECT_EQ(bytes.value(), expected);
}

TEST(Safetensors, AFileMayHoldNothing) {
  const Result<Bytes> bytes = safetensors_bytes({});
  ASSERT_TRUE(bytes);
  const Result<Safetensors> file = Safetensors::parse(bytes.value());
  ASSERT_TRUE(file);
  EXPECT_TRUE(file.value().tensors().empty());
  EXPECT_TRUE(file.value().match({}));
}

TEST(Safetensors, ScalarsAndEmptyTensorsAreTensors) {
  const Bytes bytes = file_of(R"({"none":{"dtype":"F32","shape":[0,5],"data_offsets":[4,4]},
      "scalar":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}  )",
                              4);
  const Result<Safetensors> file = Safetensors::parse(bytes);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file.value().find("none")->elements(), 0u);
  EXPECT_EQ(file.value().find("scalar")->elements(), 1u);
}

TEST(Safetensors, WideTypesComeFirstSoThatAllAreAligned) {
  const std::int64_t three[] = {3}, one[] = {1};
  const std::uint8_t small[] = {1, 2, 3};
  const std::int64_t wide[] = {-5};
  const float middle[] = {1, 2, 3};
  const TensorToWrite tensors[] = {{"u8", DType::kU8, three, std::as_bytes(std::span(small))},
                                   tensor_to_write("f32", three, middle),
                                   {"i64", DType::kI64, one, std::as_bytes(std::span(wide))}};
  const Result<Bytes> bytes = safetensors_bytes(tensors);
  ASSERT_TRUE(bytes);
  const Result<Safetensors> file = Safetensors::parse(bytes.value());
  ASSERT_TRUE(file);
  for (const TensorEntry& tensor : file.value().tensors()) {
    const std::ptrdiff_t place = file.value().bytes(tensor).data() - bytes.value().data();
    EXPECT_EQ(place % static_cast<std::ptrdiff_t>(size_of(tensor.dtype)), 0) << tensor.name;
  }
  const std::span<const std::byte> raw = file.value().bytes(*file.value().find("i64"));
  EXPECT_EQ(std::memcmp(raw.data(), wide, 8), 0);
  EXPECT_EQ(raw.size(), 8u);
}

TEST(Safetensors, EveryFloatingTypeIsConverted) {
  const std::int64_t shape[] = {3};
  const double f64[] = {1.0 / 3, -1e-50, 1e300};
  const float f32[] = {1.5f, -0.25f, 3e38f};
  const std::uint16_t f16[] = {0x3c00, 0xc000, 0x0001};   // 1, -2, 2^-24
  const std::uint16_t bf16[] = {0x3f80, 0xc000, 0x7f80};  // 1, -2, infinity
  const TensorToWrite tensors[] = {{"f64", DType::kF64, shape, std::as_bytes(std::span(f64))},
                                   {"f32", DType::kF32, shape, std::as_bytes(std::span(f32))},
                                   {"f16", DType::kF16, shape, std::as_bytes(std::span(f16))},
                                   {"bf16", DType::kBF16, shape, std::as_bytes(std::span(bf16))}};
  const Result<Bytes> bytes = safetensors_bytes(tensors);
  ASSERT_TRUE(bytes);
  const Result<Safetensors> file = Safetensors::parse(bytes.value());
  ASSERT_TRUE(file);
  const auto read = [&]<class T>(std::string_view name, T) {
    std::vector<T> values(3);
    EXPECT_TRUE(file.value().read_into(*file.value().find(name), values));
    return values;
  };
  EXPECT_EQ(read("f64", 0.0), (std::vector<double>{1.0 / 3, -1e-50, 1e300}));
  EXPECT_EQ(read("f64", 0.0f), (std::vector<float>{1.0f / 3, -0.0f, INFINITY}));
  EXPECT_EQ(read("f32", 0.0), (std::vector<double>{1.5, -0.25, 3e38f}));
  EXPECT_EQ(read("f32", 0.0f), (std::vector<float>{1.5f, -0.25f, 3e38f}));
  EXPECT_EQ(read("f16", 0.0), (std::vector<double>{1, -2, 0x1p-24}));
  EXPECT_EQ(read("f16", 0.0f), (std::vector<float>{1, -2, 0x1p-24f}));
  EXPECT_EQ(read("bf16", 0.0), (std::vector<double>{1, -2, INFINITY}));
  EXPECT_EQ(read("bf16", 0.0f), (std::vector<float>{1, -2, INFINITY}));
}

TEST(Safetensors, AReadThatCannotWorkWritesNothing) {
  const Bytes bytes = file_of(R"({"f":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},
      "i":{"dtype":"I64","shape":[1],"data_offsets":[8,16]}})",
                              16);
  const Result<Safetensors> file = Safetensors::parse(bytes);
  ASSERT_TRUE(file) << file.error().message;
  std::vector<float> values(3, 42);
  expect_error(file.value().read_into(*file.value().find("f"), values),
               "'f' holds 2 numbers where 3 are wanted");
  std::vector<float> one(1, 42);
  expect_error(file.value().read_into(*file.value().find("i"), one), "'i' holds integers (I64)");
  EXPECT_EQ(values, std::vector<float>(3, 42));
  EXPECT_EQ(one, std::vector<float>(1, 42));
}

TEST(Safetensors, LengthsThatCannotBeAreRefused) {
  expect_error(Safetensors::parse({}), "too few");
  expect_error(
      Safetensors::parse(file_of("[]", 0)),
      "cannot use this safetensors file: its header is not a JSON object; save or download "
      "it again");
  expect_error(Safetensors::parse(Bytes(7)), "too few");
  expect_error(Safetensors::parse(Bytes(8)), "not a JSON object");
  Bytes bytes = file_of("{}", 0);
  bytes[0] = std::byte{3};
  expect_error(Safetensors::parse(bytes), "announces a header of 3 bytes, but 2 follow");
  for (int i = 0; i < 8; ++i) bytes[i] = std::byte{0xff};
  expect_error(Safetensors::parse(bytes), "announces a header of 18446744073709551615 bytes");
  const std::string padded = "{}" + std::string(kMaxHeaderBytes - 2, ' ');
  EXPECT_TRUE(Safetensors::parse(file_of(padded, 0)));
  expect_refused(padded + " ", 0, "are the limit");
}

TEST(Safetensors, HeadersThatAreNotOursAreRefused) {
  expect_refused("", 0, "not a JSON object");
  expect_refused("[]", 0, "not a JSON object");
  expect_refused(" {}", 0, "not a JSON object");
  expect_refused("\xef\xbb\xbf{}", 0, "not a JSON object");
  expect_refused(std::string_view("{}\0{}", 5), 0, "not a JSON object");
  expect_refused("{", 0, "not valid JSON at byte");
  expect_refused("{}{}", 0, "not valid JSON at byte 3");
  expect_refused("{\"a\":}", 0, "not valid JSON");
  expect_refused("{\"\xff\":{}}", 0, "not valid JSON");
  expect_refused(R"({"a":null})", 0, "'a' holds null where it does not belong");
  expect_refused(R"({"a":7})", 0, "'a' holds a number where it does not belong");
  expect_refused(R"({"a":{}})", 0, "'a' lacks its dtype");
  expect_refused(R"({"":{"dtype":"F32","shape":[],"data_offsets":[0,4]}})", 4, "no name");
  expect_refused(R"({"a":{"dtype":"F32","shape":[1]}})", 4, "'a' lacks its dtype");
  expect_refused(R"({"a":{"dtype":"F32","data_offsets":[0,4]}})", 4, "'a' lacks its dtype");
  expect_refused(R"({"a":{"shape":[1],"data_offsets":[0,4]}})", 4, "'a' lacks its dtype");
  expect_refused(R"({"a":{"dtype":"I16","shape":[2],"data_offsets":[0,4]}})", 4,
                 "has the dtype 'I16', but only");
  expect_refused(R"({"a":{"dtype":4,"shape":[1],"data_offsets":[0,4]}})", 4, "holds a number");
  expect_refused(R"({"a":{"dtype":["F32"],"shape":[1],"data_offsets":[0,4]}})", 4, "holds a list");
  expect_refused(R"({"a":{"dtype":"F32","shape":"1","data_offsets":[0,4]}})", 4, "holds a text");
  expect_refused(R"({"a":{"dtype":"F32","shape":[[1]],"data_offsets":[0,4]}})", 4, "holds a list");
  expect_refused(R"({"a":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}})", 4, "not whole");
  expect_refused(R"({"a":{"dtype":"F32","shape":[true],"data_offsets":[0,4]}})", 4, "truth value");
  expect_refused(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4, "negative");
  expect_refused(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"more":1}})", 4,
                 "unknown property 'more'");
  expect_refused(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":{}}})", 4, "holds an object");
}

TEST(Safetensors, TensorsMustCoverTheDataExactly) {
  expect_refused("{}", 1, "end at byte 0 of 1");
  expect_refused(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 3,
                 "'a' lies outside");
  expect_refused(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 5, "byte 4 of 5");
  expect_refused(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", 4,
                 "'a' lies outside");
  expect_refused(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4]}})", 4, "two data_offsets");
  expect_refused(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,4]}})", 4,
                 "two data_offsets");
  expect_refused(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4,
                 "'a' of shape [2] needs 8 bytes but has 4");
  expect_refused(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}})", 8,
                 "'a' of shape [1] needs 4 bytes but has 8");
  expect_refused(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},
                     "b":{"dtype":"F32","shape":[1],"data_offsets":[5,9]}})",
                 9, "'b' begins at byte 5, after a gap that begins at byte 4");
  expect_refused(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},
                     "b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                 8, "'b' begins at byte 4, inside a tensor that ends at byte 8");
  expect_refused(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},
                     "b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                 4, "'b' begins at byte 0, inside");
}

TEST(Safetensors, ShapesThatOverflowAreRefused) {
  expect_refused(R"({"a":{"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0]}})", 0,
                 "impossible shape [4611686018427387904]");
  expect_refused(R"({"a":{"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", 0,
                 "impossible shape");
  expect_refused(R"({"a":{"dtype":"U8","shape":[9223372036854775808],"data_offsets":[0,0]}})", 0,
                 "huge number");
  expect_refused(R"({"a":{"dtype":"U8","shape":[18446744073709551616],"data_offsets":[0,0]}})", 0,
                 "not whole");
  expect_refused(
      R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[18446744073709551615,18446744073709551615]}})",
      1, "'a' lies outside");
}

TEST(Safetensors, DuplicatesAreRefused) {
  expect_refused(R"({"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},
                     "a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}})",
                 0, "'a' is there twice");
  expect_refused(R"({"a":{"dtype":"F32","dtype":"F32","shape":[0],"data_offsets":[0,0]}})", 0,
                 "'a' has dtype twice");
  expect_refused(R"({"a":{"dtype":"F32","shape":[0],"shape":[0],"data_offsets":[0,0]}})", 0,
                 "'a' has shape twice");
  expect_refused(R"({"__metadata__":{},"__metadata__":{}})", 0, "two blocks of metadata");
  expect_refused(R"({"__metadata__":{"k":"1","k":"2"}})", 0, "'k' twice");
}

TEST(Safetensors, MetadataHoldsTextsOnly) {
  EXPECT_TRUE(Safetensors::parse(file_of(R"({"__metadata__":{"a":""}})", 0)));
  expect_refused(R"({"__metadata__":{"a":1}})", 0, "metadata holds a number instead of a text");
  expect_refused(R"({"__metadata__":{"a":{}}})", 0, "metadata holds an object instead of a text");
  expect_refused(R"({"__metadata__":"a"})", 0, "'__metadata__' holds a text");
}

std::string repeated(std::size_t count, const auto& piece) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += (i > 0 ? "," : "") + piece(std::to_string(i));
  return "{" + all + "}";
}

TEST(Safetensors, LimitsHoldExactly) {
  const auto tensor = [](const std::string& name) {
    return "\"" + name + "\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}";
  };
  EXPECT_TRUE(Safetensors::parse(file_of(repeated(kMaxTensors, tensor), 0)));
  expect_refused(repeated(kMaxTensors + 1, tensor), 0, "more than 4096 tensors");

  EXPECT_TRUE(Safetensors::parse(file_of("{" + tensor(std::string(kMaxNameBytes, 'n')) + "}", 0)));
  expect_refused("{" + tensor(std::string(kMaxNameBytes + 1, 'n')) + "}", 0, "longer than 256");

  const auto entry = [](const std::string& key) { return "\"" + key + "\":\"\""; };
  const auto metadata = [](const std::string& map) { return "{\"__metadata__\":" + map + "}"; };
  EXPECT_TRUE(Safetensors::parse(file_of(metadata(repeated(kMaxMetadataEntries, entry)), 0)));
  expect_refused(metadata(repeated(kMaxMetadataEntries + 1, entry)), 0, "more than 1024 entries");
  expect_refused(metadata("{" + entry(std::string(kMaxNameBytes + 1, 'k')) + "}"), 0,
                 "longer than");

  const std::string ranked = R"({"a":{"dtype":"U8","data_offsets":[0,1],"shape":[1,1,1,1,1,1,1,1)";
  EXPECT_TRUE(Safetensors::parse(file_of(ranked + "]}}", 1)));
  expect_refused(ranked + ",1]}}", 1, "more than 8 dimensions");

  expect_refused("{\"a\":" + std::string(100'000, '['), 0, "holds a list");
  std::string nested;
  for (int i = 0; i < 100'000; ++i) nested += "{\"a\":";
  expect_refused(nested, 0, "unknown property 'a'");
}

TEST(Safetensors, NamesInMessagesAreShortAndPrintable) {
  EXPECT_EQ(shown_name("a\nb\x7f"), "'a?b?'");
  EXPECT_EQ(shown_name(std::string(81, 'x')), "'" + std::string(80, 'x') + "...'");
  EXPECT_EQ(shown_name(std::string(79, 'x') + "\u00e9"), "'" + std::string(79, 'x') + "...'");
}

TEST(Safetensors, TheWriterRefusesWhatTheReaderWould) {
  const std::int64_t shape[] = {2};
  const float values[] = {1, 2};
  const TensorToWrite twice[] = {tensor_to_write("a", shape, values),
                                 tensor_to_write("a", shape, values)};
  expect_error(safetensors_bytes(twice), "cannot save these tensors: tensor 'a' is there twice");
  const TensorToWrite short_of[] = {tensor_to_write("a", shape, std::span(values).first(1))};
  expect_error(safetensors_bytes(short_of), "needs 8 bytes but has 4");
  const TensorToWrite reserved[] = {tensor_to_write("__metadata__", shape, values)};
  expect_error(safetensors_bytes(reserved), "metadata");
  const TensorToWrite not_utf8[] = {tensor_to_write("\xff", shape, values)};
  expect_error(safetensors_bytes(not_utf8), "not valid JSON");
  const std::int64_t negative[] = {-2};
  const TensorToWrite impossible[] = {tensor_to_write("a", negative, values)};
  expect_error(safetensors_bytes(impossible), "negative");
}

TEST(Safetensors, MatchNamesEveryMistake) {
  const Bytes bytes = file_of(R"({"good":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},
      "turned":{"dtype":"F32","shape":[1,2],"data_offsets":[8,16]},
      "whole":{"dtype":"I32","shape":[2],"data_offsets":[16,24]},
      "extra":{"dtype":"F32","shape":[],"data_offsets":[24,28]}})",
                              28);
  const Result<Safetensors> file = Safetensors::parse(bytes);
  ASSERT_TRUE(file) << file.error().message;
  const std::int64_t two[] = {2}, row[] = {2, 1};
  const WantedTensor wanted[] = {{"good", two}, {"turned", row}, {"whole", two}, {"absent", two}};
  const Status status = file.value().match(wanted);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message,
            "the file does not fit this model: missing 'absent'; of another shape 'turned' ([1, 2] "
            "instead of [2, 1]); of another type 'whole' (I32 instead of floating-point numbers); "
            "unknown 'extra'; use the configuration that it was saved with");
}

TEST(Safetensors, MatchAcceptsAnyOrderAndShortensLongLists) {
  const std::int64_t scalar_value[] = {1};
  const float value[] = {1};
  std::vector<std::string> names;
  for (int i = 0; i < 12; ++i) names.push_back("t" + std::to_string(i));
  std::vector<TensorToWrite> tensors;
  std::vector<WantedTensor> wanted;
  for (const std::string& name : names) {
    tensors.push_back(tensor_to_write(name, scalar_value, value));
    wanted.insert(wanted.begin(), {name, scalar_value});
  }
  const Result<Bytes> bytes = safetensors_bytes(tensors);
  ASSERT_TRUE(bytes);
  const Result<Safetensors> file = Safetensors::parse(bytes.value());
  ASSERT_TRUE(file);
  EXPECT_TRUE(file.value().match(wanted));
  expect_error(file.value().match({}), "unknown 't0', 't1', 't2', 't3', 't4' and 7 more; use");
}

}  // namespace
}  // namespace tp
