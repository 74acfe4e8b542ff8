#include "engine/kernels/parallel.h"

#include "engine/core/check.h"

#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)

namespace tp {

int threads() { return 1; }
void set_threads(int) {}
void run_parts(int parts, void (*function)(void*, int), void* context) {
  for (int i = 0; i < parts; ++i) function(context, i);
}

}  // namespace tp

#else

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#if defined(__EMSCRIPTEN_PTHREADS__)
#include <emscripten/threading.h>

#include <limits>
#endif

namespace tp {
namespace {

// How often a thread looks before it goes to sleep: the next piece of work is mostly a few
// microseconds away. In WebAssembly a look takes a nanosecond, as there is no instruction to rest,
// and to be woken takes long.
#if defined(__EMSCRIPTEN_PTHREADS__)
constexpr int kLooks = 50'000;
#else
constexpr int kLooks = 2000;
#endif

void rest_a_little() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// In WebAssembly the standard library would look again every few milliseconds instead of sleeping.
#if defined(__EMSCRIPTEN_PTHREADS__)
template <class T>
void sleep_while(const std::atomic<T>& value, T old) {
  static_assert(sizeof(value) == 4);
  auto* place = const_cast<std::atomic<T>*>(&value);
  emscripten_futex_wait(place, static_cast<std::uint32_t>(old),
                        std::numeric_limits<double>::infinity());
}
template <class T>
void wake_all(std::atomic<T>& value) {
  emscripten_futex_wake(&value, kMostThreads);
}
#else
template <class T>
void sleep_while(const std::atomic<T>& value, T old) {
  value.wait(old, std::memory_order_acquire);
}
template <class T>
void wake_all(std::atomic<T>& value) {
  value.notify_all();
}
#endif

// Until `value` is no longer `old`.
template <class T>
T wait_for_change(const std::atomic<T>& value, T old) {
  for (int look = 0; look < kLooks; ++look) {
    if (const T now = value.load(std::memory_order_acquire); now != old) return now;
    rest_a_little();
  }
  sleep_while(value, old);
  return value.load(std::memory_order_acquire);
}

class Helpers {
 public:
  explicit Helpers(int count) {
    for (int i = 0; i < count; ++i) threads_.emplace_back([this] { serve(); });
  }
  ~Helpers() {
    function_ = nullptr;  // the sign to go home
    call();
    for (std::thread& thread : threads_) thread.join();
  }
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;

  int count() const { return static_cast<int>(threads_.size()); }

  bool running() const { return running_; }

  void run(int parts, void (*function)(void*, int), void* context) {
    running_ = true;
    function_ = function;
    context_ = context;
    parts_ = parts;
    next_.store(0, std::memory_order_relaxed);
    busy_.store(count(), std::memory_order_relaxed);
    call();
    take_parts();
    for (int busy = busy_.load(std::memory_order_acquire); busy > 0;) {
      busy = wait_for_change(busy_, busy);
    }
    running_ = false;
  }

 private:
  void call() {
    calls_.fetch_add(1, std::memory_order_release);
    wake_all(calls_);
  }

  void take_parts() {
    for (int i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < parts_;) {
      function_(context_, i);
    }
  }

  void serve() {
    for (std::uint32_t seen = 0;;) {
      seen = wait_for_change(calls_, seen);
      if (function_ == nullptr) return;
      take_parts();
      if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) wake_all(busy_);
    }
  }

  bool running_ = false;  // only the caller looks

  // Written before calls_ is raised, and read after that is seen.
  void (*function_)(void*, int) = nullptr;
  void* context_ = nullptr;
  int parts_ = 0;

  std::atomic<std::uint32_t> calls_{0};
  std::atomic<int> next_{0};  // part to be taken
  std::atomic<int> busy_{0};  // helpers that are not done with this call
  std::vector<std::thread> threads_;
};

thread_local std::unique_ptr<Helpers> helpers;

}  // namespace

int threads() { return helpers == nullptr ? 1 : helpers->count() + 1; }

void set_threads(int count) {
  TP_CHECK(count >= 1 && count <= kMostThreads, "a number of threads that makes no sense");
  if (count == threads()) return;
  helpers.reset();
  if (count > 1) helpers = std::make_unique<Helpers>(count - 1);
}

void run_parts(int parts, void (*function)(void*, int), void* context) {
  if (helpers != nullptr && !helpers->running() && parts > 1) {
    return helpers->run(parts, function, context);
  }
  for (int i = 0; i < parts; ++i) function(context, i);
}

}  // namespace tp

#endif
