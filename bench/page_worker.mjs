// Measures one contender in Chromium: ours, or a peer from npm.

const packages = "/bench/node_modules";

async function ours({ module, ...request }) {
  const { measureInModule } = await import("./wasm_module.mjs");
  const { default: createModule } = await import(module);
  return measureInModule(createModule, request);
}

async function tensorflow({ what, ...request }) {
  // Classic scripts that leave a global `tf`; their ES modules need a bundler.
  await import(`${packages}/@tensorflow/tfjs/dist/tf.min.js`);
  await import(`${packages}/@tensorflow/tfjs-backend-wasm/dist/tf-backend-wasm.min.js`);
  const { tf } = globalThis;
  tf.wasm.setWasmPaths(`${packages}/@tensorflow/tfjs-backend-wasm/dist/`);
  tf.wasm.setThreadsCount(1);
  if (!(await tf.setBackend("wasm"))) throw new Error("TensorFlow.js has no wasm backend here");
  await tf.ready();
  const model = await import("./peers/model_tfjs.mjs");
  const version = tf.version.tfjs;
  if (what === "learn") return { ...(await model.learn(tf, { ...request, progress })), version };
  const measure = what === "decode" ? model.measureDecoding : model.measureTraining;
  return { ...(await measure(tf, { ...request, size: what })), version };
}

async function jaxJs({ what, ...request }) {
  const jax = await import(`${packages}/@jax-js/jax/dist/index.js`);
  await jax.init("wasm");
  jax.defaultDevice("wasm");
  const { measureTraining } = await import("./peers/model_jax.mjs");
  return measureTraining(jax, { ...request, size: what });
}

function progress(text) {
  postMessage({ progress: text });
}

self.addEventListener("message", async ({ data: { contender, ...request } }) => {
  try {
    postMessage({ result: await { ours, tensorflow, jaxJs }[contender](request) });
  } catch (error) {
    postMessage({ error: String(error) });
  }
});
