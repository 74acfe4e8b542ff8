// The page's end of the line to the engine: in a Worker where there are Workers, otherwise the same
// loop on the page's own thread.

// `onSnapshot` gets a Uint8Array, and the next one after the promise that it may return; `onFailure` the sentence with which the engine ended. Commands may
// be sent at once.
export function connectEngine({ onSnapshot, onFailure = () => {} }) {
  let waiting = []; // until there is an engine
  let deliver;
  let end = () => {};
  let closed = false;

  function connected(deliverTo, endWith) {
    deliver = deliverTo;
    end = endWith;
    for (const bytes of waiting) deliver(bytes);
    waiting = [];
  }

  function show(bytes, taken) {
    if (closed) return;
    Promise.resolve(onSnapshot(new Uint8Array(bytes))).then(taken);
  }

  async function onThisThread() {
    const { startEngine } = await import("./engine_loop.js");
    const engine = await startEngine({
      onSnapshot: (bytes) => show(bytes, () => engine.taken()),
      onFailure: (error) => onFailure(String(error?.message ?? error)),
    });
    connected((bytes) => engine.receive(bytes), () => engine.close());
    if (closed) engine.close();
  }

  function inWorker() {
    const worker = new Worker(new URL("./engine_worker.js", import.meta.url), { type: "module" });
    let ready = false;
    const failed = (reason) => {
      worker.terminate();
      if (closed) return;
      if (ready) onFailure(reason);
      else onThisThread().catch((error) => onFailure(String(error?.message ?? error)));
    };
    worker.onerror = (event) => failed(event.message ?? "");
    worker.onmessage = ({ data }) => {
      if (data === "ready") {
        ready = true;
        connected((bytes) => worker.postMessage(bytes), () => worker.terminate());
      } else if (data.failed !== undefined) {
        failed(data.failed);
      } else {
        show(data, () => worker.postMessage("taken"));
      }
    };
    end = () => worker.terminate();
  }

  try {
    inWorker();
  } catch {
    onThisThread().catch((error) => onFailure(String(error?.message ?? error)));
  }
  return {
    send(bytes) {
      const copy = Uint8Array.from(bytes).buffer;
      if (deliver) deliver(copy);
      else waiting.push(copy);
    },
    close() {
      closed = true;
      end();
    },
  };
}
