// Downloads with progress in bytes, counted after decompression.

export class Download {
  #received = 0;
  #report;

  constructor(report) {
    this.#report = report;
  }

  // A response whose body is counted while it is read.
  async #fetch(path) {
    const response = await fetch(new URL(path, import.meta.url));
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    const count = new TransformStream({
      transform: (chunk, controller) => {
        this.#report((this.#received += chunk.byteLength));
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(count), { headers: response.headers });
  }

  async bytes(path) {
    return new Uint8Array(await (await this.#fetch(path)).arrayBuffer());
  }

  // Emscripten's hook: compiles while the file is still arriving. Hosts that do not know the type of
  // .wasm files get the slower way.
  instantiate = (imports, done) => {
    const load = async () => {
      const response = await this.#fetch("./playground.wasm");
      const streams = response.headers.get("content-type")?.startsWith("application/wasm");
      const { instance, module } = streams
        ? await WebAssembly.instantiateStreaming(response, imports)
        : await WebAssembly.instantiate(await response.arrayBuffer(), imports);
      done(instance, module);
    };
    load().catch((error) => this.#failed(error));
    return {};
  };

  #failed = () => {};
  // Rejects when the program cannot be loaded; Emscripten's own promise would wait for ever.
  failure = new Promise((_, reject) => (this.#failed = reject));
}
