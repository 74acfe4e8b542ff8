#include "engine/io/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

namespace tp {
namespace {

constexpr std::string_view kPartial = ".partial-";  // and the number of the process

// Closes on every way out. close() itself is asked for its answer only after writing.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  int number() const { return number_; }
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

Error cannot(const char* verb, const std::string& path, const char* advice) {
  return {std::string("cannot ") + verb + " '" + path + "': " + std::strerror(errno) + "; " +
          advice};
}

bool write_all(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

Result<FileBytes> read_file(const std::string& path, std::size_t limit) {
  constexpr const char* kAdvice = "check the name and the permissions";
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info;
  if (file.number() < 0 || ::fstat(file.number(), &info) != 0) return cannot("read", path, kAdvice);
  if (!S_ISREG(info.st_mode)) {
    return Error{"cannot read '" + path + "': it is not a regular file; name a file"};
  }
  const auto size = static_cast<std::uintmax_t>(info.st_size);
  if (size > limit) {
    return Error{"cannot read '" + path + "': its " + std::to_string(size) +
                 " bytes are more than the limit of " + std::to_string(limit) +
                 "; use a smaller file"};
  }
  FileBytes result;
  result.size = static_cast<std::size_t>(size);
  result.data.reset(new (std::nothrow) std::byte[result.size]);
  if (!result.data) {
    return Error{"cannot read '" + path + "': there is no memory for its " + std::to_string(size) +
                 " bytes; close something or use a smaller file"};
  }
  for (std::size_t done = 0; done < result.size;) {
    const ssize_t got = ::read(file.number(), result.data.get() + done, result.size - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannot("read", path, kAdvice);
    if (got == 0)
      return Error{"cannot read '" + path + "': it became shorter meanwhile; try again"};
    done += static_cast<std::size_t>(got);
  }
  return result;
}

Status write_file(const std::string& path, std::span<const std::span<const std::byte>> parts) {
  constexpr const char* kAdvice = "check the folder, its permissions and the free space";
  // A device or a pipe cannot be replaced: it is written to.
  struct stat info;
  const bool in_place = ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
  const std::string temporary =
      in_place ? path : path + std::string(kPartial) + std::to_string(::getpid());
  const int flags = O_WRONLY | O_CLOEXEC | (in_place ? 0 : O_CREAT | O_TRUNC);
  Descriptor file(::open(temporary.c_str(), flags, 0666));
  if (file.number() < 0) return cannot("write", path, kAdvice);
  bool good = true;
  for (const std::span<const std::byte> part : parts) {
    good = good && write_all(file.number(), part);
  }
  good = good && (in_place || ::fsync(file.number()) == 0);
  good = good && file.close();
  good = good && (in_place || std::rename(temporary.c_str(), path.c_str()) == 0);
  if (good) return Done{};
  const Error error = cannot("write", path, kAdvice);
  if (!in_place) ::unlink(temporary.c_str());
  return error;
}

void remove_partial_files(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<fs::path> partial;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    const std::size_t mark = name.rfind(kPartial);
    if (mark == std::string::npos) continue;
    const std::string_view number = std::string_view(name).substr(mark + kPartial.size());
    const bool is_number = number.find_first_not_of("0123456789") == std::string_view::npos;
    if (!number.empty() && is_number) partial.push_back(at->path());
  }
  for (const fs::path& path : partial) fs::remove(path, error);
}

}  // namespace tp
