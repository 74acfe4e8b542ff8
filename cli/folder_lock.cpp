#include "cli/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace tp::cli {

Result<FolderLock> FolderLock::take(const std::string& folder) {
  FolderLock lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Where there are no locks, as on some network drives, training goes on without one.
  if (lock.number_ >= 0 && ::flock(lock.number_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return Error{"another tp is training in '" + folder +
                 "': wait until it has ended, or choose another folder."};
  }
  return lock;
}

FolderLock::~FolderLock() {
  if (number_ >= 0) ::close(number_);
}

}  // namespace tp::cli
