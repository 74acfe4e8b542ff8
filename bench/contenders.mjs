// Who races. A contender has a name, says which cases it takes part in, what it misses (a sentence, or
// null), and measures: { ms } is the median of one step, token or product.

import { execFileSync } from "node:child_process";
import fs from "node:fs";

import { eigenCase, kindOf } from "./cases.mjs";
import { jsonOf } from "./child.mjs";
import { missingChromium } from "./chromium.mjs";
import { inProject } from "./project.mjs";

const everyKind = ["training", "decode", "peak", "kernel", "default", "lengths", "sweep"];
const mainKinds = ["training", "decode"];
const fusedKinds = [...mainKinds, "peak", "kernel"];

const ofKinds = (kinds) => (name) => kinds.includes(kindOf(name));
const only = (...names) => (name) => names.includes(name);

const missingFile = (file, remedy) => (fs.existsSync(file) ? null : `${file} is missing: ${remedy}`);

// What a program misses, asked once.
function once(question) {
  let answer;
  return () => (answer === undefined ? (answer = question()) : answer);
}

function native(tp, arithmetic, threads, takesPart) {
  const bench = (name, seconds) => {
    const flags = ["--case", name, "--seconds", seconds, "--arithmetic", arithmetic, "--threads", threads, "--json", "-"];
    return jsonOf(tp, ["bench", ...flags.map(String)]);
  };
  return {
    name: `native-${arithmetic}${threads > 1 ? `-${threads}` : ""}`,
    own: true,
    takesPart,
    missing: once(() => missingFile(tp, "cmake --preset release && cmake --build --preset release --target tp")),
    measure: bench,
  };
}

// The module of each arithmetic: fused needs relaxed SIMD, which not every browser has.
const modules = { exact: "build/web/bin/bench.js", fused: "build/web/bin/bench_relaxed.js", threads: "build/web-threads/bin/bench_threads.js" };
const missingModule = (module) => missingFile(inProject(module), "./run --build-only builds it");

function inNode(arithmetic, takesPart) {
  const module = modules[arithmetic];
  return {
    name: `node-${arithmetic}`,
    own: true,
    takesPart,
    missing: once(() => missingModule(module)),
    measure: (name, seconds) => {
      const flags = arithmetic === "fused" ? ["--experimental-wasm-relaxed-simd"] : [];
      return jsonOf(process.execPath, [...flags, inProject("bench/in_node.mjs"), inProject(module), name, String(seconds), arithmetic]);
    },
  };
}

function inChromium(chromium, arithmetic, threads, takesPart) {
  const module = threads > 1 ? modules.threads : modules[arithmetic];
  return {
    name: `chromium-${arithmetic}${threads > 1 ? `-${threads}` : ""}`,
    own: true,
    takesPart,
    missing: once(() => missingModule(module) ?? missingChromium()),
    measure: (name, seconds) => {
      const request = { contender: "ours", module: `/${module}`, case: name, seconds, fused: arithmetic === "fused", threads };
      return chromium.measure(request, { isolated: threads > 1 });
    },
  };
}

// Eigen's products, measured by a contender of ours that has them compiled in.
function eigen(name, { missing, measure }) {
  return {
    name,
    takesPart: ofKinds(["kernel"]),
    missing,
    measure: async (kernel, seconds) => ({ ...(await measure(eigenCase(kernel), seconds)), case: kernel }),
  };
}

function missingPackage(name) {
  const missing = fs.existsSync(inProject("bench/node_modules", name)) ? null : `${name} is not installed`;
  return missing ? `${missing}: npm ci --ignore-scripts --prefix bench` : missingChromium();
}

function tensorflow(chromium, tuned, takesPart) {
  const base = { contender: "tensorflow", tuned };
  return {
    name: tuned ? "tfjs-tuned" : "tfjs-plain",
    takesPart,
    missing: once(() => missingPackage("@tensorflow/tfjs-backend-wasm")),
    measure: (name, seconds) => chromium.measure({ ...base, what: name, seconds }),
    learn: (limit, progress) => chromium.measure({ ...base, what: "learn", limit }, { progress }),
  };
}

function jaxJs(chromium, takesPart) {
  return {
    name: "jax-js",
    takesPart,
    missing: once(() => missingPackage("@jax-js/jax")),
    measure: (name, seconds) => chromium.measure({ contender: "jaxJs", what: name, seconds }),
  };
}

const python = "/usr/bin/python3"; // Debian's; another one does not find Debian's torch

// Debian's OpenBLAS takes newer processors for an old one, and then runs at half its speed: tell it.
function openBlasCore() {
  if (process.env.OPENBLAS_CORETYPE) return process.env.OPENBLAS_CORETYPE;
  const flags = fs.existsSync("/proc/cpuinfo") ? fs.readFileSync("/proc/cpuinfo", "utf8") : "";
  if (/\bavx512f\b/.test(flags)) return "SkylakeX";
  return /\bavx2\b/.test(flags) ? "Haswell" : "";
}

function missingTorch() {
  let libraries;
  try {
    const program = "import torch; torch.ones(2, 2) @ torch.ones(2, 2); print(open('/proc/self/maps').read())";
    libraries = execFileSync(python, ["-c", program], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return "PyTorch is not installed: apt-get install python3-torch libopenblas0-pthread";
  }
  // With the reference BLAS it takes ten times as long: no race.
  return /openblas|mkl_rt|libblis/.test(libraries) ? null : "PyTorch has no fast BLAS: apt-get install libopenblas0-pthread";
}

function pytorch(takesPart) {
  const program = inProject("bench/peers/pytorch.py");
  const environment = { OPENBLAS_CORETYPE: openBlasCore() };
  return {
    name: "pytorch",
    takesPart,
    missing: once(missingTorch),
    measure: (name, seconds) => jsonOf(python, [program, "--case", name, "--seconds", String(seconds)], { environment }),
    learn: (limit, progress) => jsonOf(python, [program, "--case", "learn", "--limit", String(limit)], { environment, progress }),
  };
}

// The playground itself, as a visitor has it: from Play to enough, flat out.
function playground(chromium) {
  const query = "task=reverse&preset=default&pace=max&eval-every=250&eval-size=500";
  return {
    name: "playground",
    own: true,
    takesPart: only("learn"),
    missing: once(() => missingFile(inProject("dist/index.html"), "./run --build-only") ?? missingChromium()),
    learn: (limit) =>
      chromium.withPage(`dist/?${query}`, async (page) => {
        await page.waitForFunction(() => window.playground);
        return page.evaluate(async (seconds) => {
          await window.playground.ready;
          const started = performance.now();
          const elapsed = () => (performance.now() - started) / 1000;
          await window.playground.command({ type: "play" });
          for (;;) {
            const { step, state, metrics } = window.playground.state();
            const exact = metrics.heldout_exact ?? 0;
            const reached = exact >= 0.99;
            const ended = reached || elapsed() > seconds || ["finished", "failed"].includes(state);
            if (ended) return { reached, seconds: elapsed(), steps: step, exact };
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
        }, limit);
      }),
  };
}

export function allContenders(chromium, tp = inProject("build/release/bin/tp")) {
  return [
    native(tp, "exact", 1, ofKinds(everyKind)),
    native(tp, "fused", 1, ofKinds(fusedKinds)),
    native(tp, "fused", 2, only("small")),
    inNode("exact", ofKinds(mainKinds)),
    inNode("fused", ofKinds(mainKinds)),
    inChromium(chromium, "exact", 1, ofKinds(everyKind)),
    inChromium(chromium, "fused", 1, ofKinds(fusedKinds)),
    inChromium(chromium, "exact", 2, only("small")),
    eigen("eigen-native", native(tp, "fused", 1)),
    eigen("eigen-chromium", inChromium(chromium, "exact", 1)),
    playground(chromium),
    jaxJs(chromium, only("tiny", "small")),
    tensorflow(chromium, true, only("tiny", "small", "decode", "learn")),
    tensorflow(chromium, false, only("tiny")),
    pytorch(only("tiny", "small", "decode", "learn")),
  ];
}
