// Calls the benchmark inside our WebAssembly module, in node and in a Worker alike.

// The first call compiles: V8 replaces its quick code by fast code while it runs.
const warmUpSeconds = 0.3;

export async function measureInModule(createModule, { case: name, seconds, fused = false, threads = 1 }) {
  const module = await createModule({ helpers: threads - 1 });
  const call = (what, duration) => {
    const bytes = new TextEncoder().encode(`${what}\0`);
    const pointer = module._malloc(bytes.length);
    module.HEAPU8.set(bytes, pointer);
    const answer = module._tp_bench(pointer, duration, fused ? 1 : 0, threads);
    module._free(pointer);
    const memory = module.HEAPU8; // asked for again: it may have grown
    const text = memory.slice(answer, memory.indexOf(0, answer)); // a copy: threads share the memory
    const result = JSON.parse(new TextDecoder().decode(text));
    if (result.error) throw new Error(result.error);
    return result;
  };
  call(name, Math.min(seconds, warmUpSeconds));
  return call(name, seconds);
}
