// How much of the engine's speed reaches a visitor: steps a second of the page, flat out, over those of the bare
// training step in a Worker of the same browser, in turns. The same run for both: the defaults of `reverse`.
//
//   node bench/page_speed.mjs [--browser chromium|firefox] [--rounds 5] [--seconds 6] [--dist FOLDER]
//
// Needs ./run --build-only, the WebAssembly module of the cases (./test browser builds it) and the npm packages of
// tests/browser.

import { parseArgs } from "node:util";

import { startFirefox } from "../tests/browser/firefox.mjs";
import { missingChromium, openChromium, serve } from "./chromium.mjs";

const goal = 0.9;
const { values: options } = parseArgs({
  options: {
    browser: { type: "string", default: "chromium" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "6" },
    dist: { type: "string", default: "dist" },
  },
});
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
if (!["chromium", "firefox"].includes(options.browser) || !(rounds >= 1) || !(seconds > 0)) {
  console.error("usage: node bench/page_speed.mjs [--browser chromium|firefox] [--rounds N] [--seconds N] [--dist FOLDER]");
  process.exit(2);
}

// { open(address), evaluate(function, argument), close() }
async function start() {
  if (options.browser === "firefox") return startFirefox();
  const missing = missingChromium();
  if (missing) throw new Error(missing);
  return openChromium();
}

const server = await serve(false);
const browser = await start();

async function bareStep() {
  await browser.open(`${server.address}/bench/page.html`);
  const { ms } = await browser.evaluate(
    async (request) => {
      while (!window.measure) await new Promise((done) => setTimeout(done, 10));
      return window.measure(request);
    },
    { contender: "ours", module: "/build/web/bin/bench.js", case: "default-reverse", seconds, fused: false, threads: 1 },
  );
  return 1000 / ms;
}

async function pageStep() {
  await browser.open(`${server.address}/${options.dist}/index.html?task=reverse&preset=default&pace=max&language=en`);
  return browser.evaluate(async (milliseconds) => {
    const { playground } = window;
    const wait = (time) => new Promise((done) => setTimeout(done, time));
    await playground.ready;
    if (!playground.state().running) await playground.command({ type: "play" });
    await wait(1000);
    const [first, begin] = [playground.state().step, performance.now()];
    await wait(milliseconds);
    return (1000 * (playground.state().step - first)) / (performance.now() - begin);
  }, 1000 * seconds);
}

const ratios = [];
try {
  for (let round = 1; round <= rounds; ++round) {
    const bare = await bareStep();
    const page = await pageStep();
    ratios.push(page / bare);
    console.log(`round ${round}: page ${page.toFixed(1)} steps/s, bare ${bare.toFixed(1)}, ratio ${(page / bare).toFixed(2)}`);
  }
} finally {
  await browser.close();
  server.close();
}
ratios.sort((a, b) => a - b);
const median = ratios[Math.floor(ratios.length / 2)];
console.log(`${options.browser}: page / bare Worker ${median.toFixed(2)} (${ratios[0].toFixed(2)}–${ratios.at(-1).toFixed(2)}), goal ${goal}`);
