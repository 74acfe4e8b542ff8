// Each measurement has a Worker of its own, where nothing else disturbs it.

window.measure = (request) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./page_worker.mjs", import.meta.url), { type: "module" });
    worker.addEventListener("error", (event) => reject(new Error(event.message ?? "the Worker could not start")));
    worker.addEventListener("message", ({ data }) => {
      if (data.progress) return console.info(data.progress);
      worker.terminate();
      return data.error ? reject(new Error(data.error)) : resolve(data.result);
    });
    worker.postMessage(request);
  });
