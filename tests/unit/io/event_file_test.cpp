#include "engine/io/event_file.h"

#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "engine/io/file.h"

namespace tp {
namespace {

namespace fs = std::filesystem;

// An independent reader: CRC-32C bit by bit, records and messages by the letter of their formats.

std::uint32_t slow_crc32c(std::string_view bytes) {
  std::uint32_t crc = 0xffffffffu;
  for (const char c : bytes) {
    for (int bit = 0; bit < 8; ++bit) {
      const std::uint32_t differs = (crc ^ (static_cast<unsigned char>(c) >> bit)) & 1u;
      crc = (crc >> 1) ^ (differs != 0 ? 0x82f63b78u : 0u);
    }
  }
  return crc ^ 0xffffffffu;
}

std::uint32_t unmasked(std::uint32_t masked) {
  const std::uint32_t rotated = masked - 0xa282ead8u;
  return rotated >> 17 | rotated << 15;
}

template <class T>
T little_endian(std::string_view bytes) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    value |= static_cast<T>(static_cast<unsigned char>(bytes.at(i))) << (8 * i);
  }
  return value;
}

// The data of each record; nothing when a length or a checksum is wrong.
std::optional<std::vector<std::string>> read_records(std::string_view file) {
  std::vector<std::string> records;
  while (!file.empty()) {
    if (file.size() < 16) return std::nullopt;
    const auto told = little_endian<std::uint64_t>(file.substr(0, 8));
    if (unmasked(little_endian<std::uint32_t>(file.substr(8, 4))) !=
        slow_crc32c(file.substr(0, 8))) {
      return std::nullopt;
    }
    if (told > file.size() - 16) return std::nullopt;
    const auto length = static_cast<std::size_t>(told);
    const std::string_view data = file.substr(12, length);
    if (unmasked(little_endian<std::uint32_t>(file.substr(12 + length, 4))) != slow_crc32c(data)) {
      return std::nullopt;
    }
    records.emplace_back(data);
    file.remove_prefix(16 + length);
  }
  return records;
}

struct Field {
  int number;
  int wire_type;
  std::uint64_t number_value = 0;
  std::string bytes = {};
};

std::uint64_t read_varint(std::string_view& text) {
  std::uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(text.at(0));
    text.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}

std::vector<Field> read_message(std::string_view text) {
  std::vector<Field> fields;
  while (!text.empty()) {
    const std::uint64_t tag = read_varint(text);
    Field field{static_cast<int>(tag >> 3), static_cast<int>(tag & 7)};
    std::size_t taken = 0;
    if (field.wire_type == 0) {
      field.number_value = read_varint(text);
    } else if (field.wire_type == 1) {
      field.number_value = little_endian<std::uint64_t>(text);
      taken = 8;
    } else if (field.wire_type == 5) {
      field.number_value = little_endian<std::uint32_t>(text);
      taken = 4;
    } else {
      taken = static_cast<std::size_t>(read_varint(text));
      field.bytes = text.substr(0, taken);
    }
    text.remove_prefix(taken);
    fields.push_back(std::move(field));
  }
  return fields;
}

struct Event {
  double wall_time = 0;
  std::int64_t step = 0;
  std::string version;
  std::map<std::string, float> scalars;
};

Event read_event(std::string_view data) {
  Event event;
  for (const Field& field : read_message(data)) {
    if (field.number == 1) event.wall_time = std::bit_cast<double>(field.number_value);
    if (field.number == 2) event.step = static_cast<std::int64_t>(field.number_value);
    if (field.number == 3) event.version = field.bytes;
    if (field.number != 5) continue;
    for (const Field& value : read_message(field.bytes)) {
      std::string tag;
      float number = 0;
      for (const Field& part : read_message(value.bytes)) {
        if (part.number == 1) tag = part.bytes;
        if (part.number == 2) {
          number = std::bit_cast<float>(static_cast<std::uint32_t>(part.number_value));
        }
      }
      event.scalars[tag] = number;
    }
  }
  return event;
}

std::string content_of(const std::string& path) {
  const Result<FileBytes> file = read_file(path, 1 << 20);
  EXPECT_TRUE(file.ok());
  if (!file) return {};
  return {reinterpret_cast<const char*>(file.value().data.get()), file.value().size};
}

class EventFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = (fs::temp_directory_path() /
               ("tp_events_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
                ::testing::UnitTest::GetInstance()->current_test_info()->name()))
                  .string();
    fs::remove_all(folder_);
    fs::create_directory(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string folder_;
};

TEST(Crc32c, HasTheValuesOfTheStandard) {
  const std::string_view nine = "123456789";
  EXPECT_EQ(crc32c(std::as_bytes(std::span(nine))), 0xe3069283u);
  EXPECT_EQ(slow_crc32c(nine), 0xe3069283u);
  const std::string zeros(32, '\0');  // RFC 3720, B.4
  EXPECT_EQ(crc32c(std::as_bytes(std::span(zeros))), 0x8a9136aau);
  EXPECT_EQ(crc32c({}), 0u);
}

TEST_F(EventFileTest, IsReadBackByAnotherParser) {
  Result<EventFile> made = EventFile::create(folder_, 1.7e9 + 0.25);
  ASSERT_TRUE(made.ok());
  EXPECT_TRUE(
      fs::path(made.value().path()).filename().string().starts_with("events.out.tfevents."));
  const std::string long_tag(300, 't');  // whose length takes two bytes
  for (int step : {1, 127, 128, 100'000}) {
    const Scalar scalars[] = {{"loss", 1.0f / static_cast<float>(step)},
                              {long_tag, -static_cast<float>(step)}};
    ASSERT_TRUE(made.value().add(1.7e9 + step, step, scalars).ok());
  }
  const auto records = read_records(content_of(made.value().path()));
  ASSERT_TRUE(records.has_value());
  ASSERT_EQ(records->size(), 5u);
  const Event first = read_event((*records)[0]);
  EXPECT_EQ(first.version, "brain.Event:2");
  EXPECT_EQ(first.wall_time, 1.7e9 + 0.25);
  std::size_t at = 1;
  for (int step : {1, 127, 128, 100'000}) {
    const Event event = read_event((*records)[at++]);
    EXPECT_EQ(event.step, step);
    EXPECT_EQ(event.wall_time, 1.7e9 + step);
    ASSERT_EQ(event.scalars.size(), 2u);
    EXPECT_EQ(event.scalars.at("loss"), 1.0f / static_cast<float>(step));
    EXPECT_EQ(event.scalars.at(long_tag), -static_cast<float>(step));
  }
}

TEST_F(EventFileTest, EveryDamagedByteIsNoticed) {
  Result<EventFile> made = EventFile::create(folder_, 1.7e9);
  ASSERT_TRUE(made.ok());
  const Scalar scalar[] = {{"loss", 2.5f}};
  ASSERT_TRUE(made.value().add(1.7e9, 1, scalar).ok());
  std::string bytes = content_of(made.value().path());
  ASSERT_TRUE(read_records(bytes).has_value());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<char>(bytes[i] ^ 0x10);
    EXPECT_FALSE(read_records(bytes).has_value()) << "byte " << i;
    bytes[i] = static_cast<char>(bytes[i] ^ 0x10);
  }
}

TEST_F(EventFileTest, AFullDiskIsReported) {
  Result<AppendFile> file = AppendFile::open("/dev/full", AppendFile::Mode::go_on);
  ASSERT_TRUE(file.ok());
  const Status status = file.value().append("something");
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("No space left"), std::string::npos);
}

}  // namespace
}  // namespace tp
