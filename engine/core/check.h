#pragma once

namespace tp {

// Prints where and why, then aborts. For programming errors only: what comes from outside (files,
// URLs, messages, settings) is answered with a Result.
[[noreturn]] void check_failed(const char* condition, const char* message, const char* file,
                               int line);

}  // namespace tp

// Always on, in every build: a wrong shape must not become a wrong number.
#define TP_CHECK(condition, message) \
  ((condition) ? void(0) : ::tp::check_failed(#condition, message, __FILE__, __LINE__))
