// The engine in a Worker. Messages: bytes of a command come in, or "taken"; out go "ready", bytes of
// a snapshot, or { failed }.

import { startEngine } from "./engine_loop.js";

const failed = (error) => postMessage({ failed: String(error?.message ?? error) });

startEngine({ onSnapshot: (bytes) => postMessage(bytes, [bytes]), onFailure: failed }).then((engine) => {
  addEventListener("message", ({ data }) => (data === "taken" ? engine.taken() : engine.receive(data)));
  globalThis.engine = engine; // for the browser's console and for tests
  postMessage("ready");
}, failed);
