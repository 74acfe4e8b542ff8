#include "engine/io/file.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

#include "engine/io/safetensors.h"
#include "tests/subjects/temporary_folder.h"

namespace tp {
namespace {

namespace fs = std::filesystem;

using File = test::TemporaryFolder;

Status write_text(const std::string& path, std::string_view first, std::string_view second = "") {
  const std::span<const std::byte> parts[] = {std::as_bytes(std::span(first)),
                                              std::as_bytes(std::span(second))};
  return write_file(path, parts);
}

std::string read_text(const std::string& path) {
  const Result<FileBytes> file = read_file(path, 1000);
  if (!file) return "error: " + file.error().message;
  const std::span<const std::byte> bytes = file.value().bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST_F(File, WhatIsWrittenIsRead) {
  ASSERT_TRUE(write_text(path("a"), "one ", "two"));
  EXPECT_EQ(read_text(path("a")), "one two");
  ASSERT_TRUE(write_text(path("a"), "3"));
  EXPECT_EQ(read_text(path("a")), "3");
  ASSERT_TRUE(write_text(path("empty"), ""));
  EXPECT_EQ(read_text(path("empty")), "");
  EXPECT_EQ(files(), 2u);
}

TEST_F(File, ErrorsNameTheFileAndTheReason) {
  const std::string missing = read_text(path("missing"));
  EXPECT_NE(missing.find("missing'"), std::string::npos) << missing;
  EXPECT_NE(missing.find("No such file"), std::string::npos) << missing;
  const std::string directory = read_text(path(""));
  EXPECT_NE(directory.find("not a regular file"), std::string::npos) << directory;
}

TEST_F(File, TheLimitHoldsExactly) {
  ASSERT_TRUE(write_text(path("a"), "12345"));
  EXPECT_TRUE(read_file(path("a"), 5));
  const Result<FileBytes> refused = read_file(path("a"), 4);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("5 bytes are more than the limit of 4"),
            std::string::npos);
}

TEST_F(File, AFailedWriteLeavesNothingBehind) {
  const Status no_folder = write_text(path("none/a"), "x");
  ASSERT_FALSE(no_folder);
  EXPECT_NE(no_folder.error().message.find("cannot write"), std::string::npos);
  // Everything works until the rename, which cannot replace a folder.
  fs::create_directories(path("folder/inside"));
  EXPECT_FALSE(write_text(path("folder"), "x"));
  EXPECT_TRUE(fs::is_directory(path("folder/inside")));
  EXPECT_EQ(files(), 1u);
}

TEST_F(File, SafetensorsThroughAFile) {
  const std::int64_t shape[] = {3};
  const float values[] = {1, 2, 3};
  const TensorToWrite tensors[] = {tensor_to_write("a", shape, values)};
  ASSERT_TRUE(write_safetensors(path("m.safetensors"), tensors, {{"k", "v"}}));
  Result<Safetensors> read = Safetensors::read(path("m.safetensors"));
  ASSERT_TRUE(read) << read.error().message;
  const Safetensors moved = std::move(read.value());  // the bytes move along
  std::array<float, 3> back{};
  ASSERT_TRUE(moved.read_into(*moved.find("a"), std::span<float>(back)));
  EXPECT_TRUE(std::equal(back.begin(), back.end(), values));
  EXPECT_EQ(moved.metadata().at("k"), "v");

  ASSERT_TRUE(write_text(path("bad.safetensors"), "short"));
  const Result<Safetensors> bad = Safetensors::read(path("bad.safetensors"));
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.error().message.find("bad.safetensors': cannot use"), std::string::npos);
}

TEST_F(File, WhatAKilledProgramLeftIsRemoved) {
  for (const char* name :
       {"a.partial-12", "b.safetensors.partial-3", "a.partial-", "a.partial-x", "a"}) {
    ASSERT_TRUE(write_text(path(name), "x"));
  }
  remove_partial_files(folder());
  EXPECT_EQ(files(), 3u);
  EXPECT_FALSE(fs::exists(path("a.partial-12")));
  remove_partial_files(path("nothing"));
}

}  // namespace
}  // namespace tp
