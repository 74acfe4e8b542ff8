#include "engine/io/append_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace tp {
namespace {

Error cannot_write(const std::string& path) {
  return {"cannot write '" + path + "': " + std::strerror(errno) +
          "; check the folder, its permissions and the free space"};
}

}  // namespace

Result<AppendFile> AppendFile::open(const std::string& path, Mode mode) {
  const int flags =
      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (mode == Mode::replace ? O_TRUNC : 0);
  const int descriptor = ::open(path.c_str(), flags, 0666);
  if (descriptor < 0) return cannot_write(path);
  return AppendFile(descriptor, path);
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

AppendFile& AppendFile::operator=(AppendFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(path_, other.path_);
  return *this;
}

AppendFile::~AppendFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Status AppendFile::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return cannot_write(path_);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return Done{};
}

}  // namespace tp
