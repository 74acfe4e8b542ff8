#pragma once

#include <string>
#include <utility>

#include "engine/core/result.h"

namespace tp::cli {

// Held by the one program that trains in a folder. It leaves no file behind, and the system takes
// it back however the program ends.
class FolderLock {
 public:
  // Refuses when another program has it.
  static Result<FolderLock> take(const std::string& folder);

  FolderLock(FolderLock&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int number) : number_(number) {}

  int number_;  // of the open folder; -1: none
};

}  // namespace tp::cli
