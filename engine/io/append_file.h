#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/core/result.h"

namespace tp {

// A file that grows while a run goes on: a table of metrics, a log of events. What append() was
// given is with the system when it returns, so a killed run loses nothing.
class AppendFile {
 public:
  // Begins anew, or goes on behind what is there.
  enum class Mode { replace, go_on };
  static Result<AppendFile> open(const std::string& path, Mode mode);

  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&& other) noexcept;
  ~AppendFile();

  // The error says what the system said: most often that the disk is full.
  Status append(std::span<const std::byte> bytes);
  Status append(std::string_view text) { return append(std::as_bytes(std::span(text))); }

  const std::string& path() const { return path_; }

 private:
  AppendFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}

  int descriptor_;
  std::string path_;
};

}  // namespace tp
