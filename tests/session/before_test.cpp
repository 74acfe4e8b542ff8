#include <gtest/gtest.h>

#include <fstream>

#include "engine/io/file.h"
#include "tests/session/session_driver.h"

// Files in tests/fixtures/before were saved by the program before tensors, series and commands had
// their present form. They load, and go on training bit for bit. runs.txt has a line for each:
// task, step and hash when saved, and step and hash some steps later.

namespace tp::test {
namespace {

TEST(Before, SavedRunsLoadAndGoOn) {
  const std::string folder = TP_SOURCE_DIR "/tests/fixtures/before/";
  std::ifstream runs(folder + "runs.txt");
  std::string task;
  std::uint64_t step = 0, hash = 0, later_step = 0, later_hash = 0;
  int files = 0;
  while (runs >> task >> std::dec >> step >> std::hex >> hash >> std::dec >> later_step >>
         std::hex >> later_hash) {
    SCOPED_TRACE(task);
    ++files;
    const auto file = read_file(folder + task + ".safetensors", 1u << 20);
    ASSERT_TRUE(file.ok());
    Driver driver;
    const auto bytes = file.value().bytes();
    driver.send(Load{task + ".safetensors", {bytes.begin(), bytes.end()}});
    const Snapshot loaded = driver.settle();
    EXPECT_TRUE(loaded.error.empty()) << loaded.error.english;
    EXPECT_TRUE(loaded.warning.empty()) << loaded.warning.english;
    EXPECT_EQ(loaded.task, task);
    EXPECT_EQ(loaded.moment.step, step);
    EXPECT_EQ(loaded.weights_hash, hash);
    driver.step(static_cast<int>(later_step - step));
    const Snapshot later = driver.settle();
    EXPECT_EQ(later.moment.step, later_step);
    EXPECT_EQ(later.weights_hash, later_hash);
  }
  EXPECT_EQ(files, 5);
}

}  // namespace
}  // namespace tp::test
