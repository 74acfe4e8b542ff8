// Runs the engine in slices: takes commands in between, and hands out a snapshot whenever the one
// before was taken. Knows neither Worker nor page.

const slice = 8; // milliseconds of work between looks at the inbox
const betweenSnapshots = 1000 / 30;
const mostThreads = 4; // more have too little to do in models of this size

// A function with f32x4.relaxed_madd in it: valid exactly where relaxed SIMD is there. Whether it fuses is
// asked by the engine itself.
const relaxedProbe = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 20, 1, 18, 0, 65, 0, 253, 17, 65, 0, 253, 17, 65, 0, 253, 17, 253, 133, 2,
  26, 11,
]);

// The engine for this browser. Threads share memory, which is allowed only to cross-origin isolated pages;
// and they wait for each other, which is allowed only in a Worker.
async function load(module) {
  const relaxed = WebAssembly.validate(relaxedProbe);
  const isolated = globalThis.crossOriginIsolated && typeof WorkerGlobalScope === "function";
  const threads = relaxed && isolated ? Math.min(navigator.hardwareConcurrency, mostThreads) : 1;
  if (threads > 1) {
    try {
      const { default: createThreads } = await import("./engine_threads.js");
      return { program: await createThreads({ helpers: threads - 1, ...module }), threads };
    } catch {
      // Without threads, then.
    }
  }
  const { default: create } = await (relaxed ? import("./engine_relaxed.js") : import("./engine.js"));
  return { program: await create(module), threads: 1 };
}

// `onSnapshot` gets bytes (an ArrayBuffer), `onFailure` what ended the engine. The methods of the
// result: receive(bytes), taken() after each snapshot, memory() in bytes, close().
export async function startEngine({ onSnapshot, onFailure, module = {} }) {
  const { program, threads } = await load(module);
  program._tp_engine_create(threads);

  const channel = new MessageChannel();
  let timer;
  let scheduled = false;
  let closed = false;
  let inFlight = false;
  let untold = true; // there may be something to say
  let lastSnapshot = -Infinity;

  // Through a channel, not a timer: timers wait at least 4 ms once they are nested.
  channel.port1.onmessage = turn;
  function soon() {
    if (scheduled || closed) return;
    scheduled = true;
    clearTimeout(timer);
    channel.port2.postMessage(null);
  }

  function turn() {
    scheduled = false;
    if (closed) return;
    try {
      const wait = program._tp_engine_work(slice);
      tell();
      if (wait === 0) return soon();
      clearTimeout(timer);
      const untilSnapshot = untold && !inFlight ? betweenSnapshots : Infinity;
      const due = Math.min(wait < 0 ? Infinity : wait, untilSnapshot);
      if (due < Infinity) timer = setTimeout(soon, due);
    } catch (error) {
      close();
      onFailure(error);
    }
  }

  function tell() {
    const now = performance.now();
    untold = inFlight || now - lastSnapshot < betweenSnapshots;
    if (untold) return;
    const size = program._tp_engine_take_snapshot();
    if (size === 0) return;
    const first = program._tp_engine_snapshot();
    lastSnapshot = now;
    inFlight = true;
    untold = true;
    onSnapshot(program.HEAPU8.slice(first, first + size).buffer);
  }

  function close() {
    closed = true;
    clearTimeout(timer);
    channel.port1.close();
  }

  return {
    receive(bytes) {
      if (closed) return;
      const first = program._malloc(bytes.byteLength);
      program.HEAPU8.set(new Uint8Array(bytes), first);
      program._tp_engine_receive(first, bytes.byteLength);
      program._free(first);
      soon();
    },
    taken() {
      inFlight = false;
      soon();
    },
    memory: () => program.HEAPU8.length,
    close,
  };
}
