// The engine as a WebAssembly module of its own: one session, bytes in, bytes out.
// web/engine_loop.js calls these functions, in a Worker or, where there is none, on the page's own
// thread.

#include <emscripten.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "engine/kernels/parallel.h"
#include "engine/session/session.h"

namespace tp {
namespace {

std::unique_ptr<Session> session;
std::vector<std::byte> snapshot;  // the one last handed out

}  // namespace
}  // namespace tp

using namespace tp;

extern "C" {

// `threads` share the work, where this build has threads.
EMSCRIPTEN_KEEPALIVE void tp_engine_create(int threads) {
  set_threads(threads);
  SessionOptions options;
  options.now = emscripten_get_now;
  options.material_limit = std::size_t{4} << 20;
  session = std::make_unique<Session>(std::move(options));
}

EMSCRIPTEN_KEEPALIVE void tp_engine_receive(const std::byte* bytes, std::size_t size) {
  session->receive(std::span(bytes, size));
}

EMSCRIPTEN_KEEPALIVE double tp_engine_work(double milliseconds) {
  return session->work(milliseconds);
}

// How many bytes there are to say; they stand at tp_engine_snapshot() until the next call.
EMSCRIPTEN_KEEPALIVE std::size_t tp_engine_take_snapshot() {
  snapshot = session->take_snapshot();
  return snapshot.size();
}

EMSCRIPTEN_KEEPALIVE const std::byte* tp_engine_snapshot() { return snapshot.data(); }
}
