// Whether a change made training slower: this checkout against another one of the project, built the same way, in
// turns. Prints the other's time over ours for each case: the median of the rounds, and that of the least times.
//
//   node bench/compare.mjs OTHER [--cases tiny,small] [--where native|chromium] [--rounds 9] [--seconds 1]
//
// Both need build/release/bin/tp (native) or build/web/bin/bench.js (chromium; ./test browser builds it).

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

import { missingChromium, openChromium, serve } from "./chromium.mjs";
import { project } from "./project.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cases: { type: "string", default: "tiny,small" },
    where: { type: "string", default: "native" },
    rounds: { type: "string", default: "9" },
    seconds: { type: "string", default: "1" },
  },
});
const [rounds, seconds] = [Number(options.rounds), Number(options.seconds)];
if (positionals.length !== 1 || !["native", "chromium"].includes(options.where) || !(rounds >= 1) || !(seconds > 0)) {
  console.error("usage: node bench/compare.mjs OTHER [--cases C,C] [--where native|chromium] [--rounds N] [--seconds X]");
  process.exit(2);
}
const folders = { other: path.resolve(positionals[0]), ours: project };

// Each gives { measure(side, case) -> milliseconds of a step, close() }.
function natively() {
  const program = (side) => path.join(folders[side], "build/release/bin/tp");
  return {
    measure(side, name) {
      const line = execFileSync(program(side), ["bench", "--case", name, "--seconds", String(seconds), "--json", "-"]);
      return JSON.parse(line).ms;
    },
    close() {},
  };
}

async function inChromium() {
  const missing = missingChromium();
  if (missing) throw new Error(missing);
  const copies = path.join(project, "build/compare"); // the server knows this checkout alone
  for (const [side, folder] of Object.entries(folders)) {
    fs.mkdirSync(path.join(copies, side), { recursive: true });
    for (const file of ["bench.js", "bench.wasm"]) {
      fs.copyFileSync(path.join(folder, "build/web/bin", file), path.join(copies, side, file));
    }
  }
  const server = await serve(false);
  const browser = await openChromium();
  return {
    async measure(side, name) {
      await browser.open(`${server.address}/bench/page.html`);
      const request = { contender: "ours", module: `/build/compare/${side}/bench.js`, case: name, seconds, fused: false, threads: 1 };
      const { ms } = await browser.evaluate(async (wanted) => {
        while (!window.measure) await new Promise((done) => setTimeout(done, 10));
        return window.measure(wanted);
      }, request);
      return ms;
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const runner = options.where === "native" ? natively() : await inChromium();
try {
  for (const name of options.cases.split(",")) {
    const times = { other: [], ours: [] };
    for (let round = 0; round < rounds; ++round) {
      const order = round % 2 === 0 ? ["other", "ours"] : ["ours", "other"];
      for (const side of order) times[side].push(await runner.measure(side, name));
    }
    const ratios = times.other.map((time, i) => time / times.ours[i]);
    const least = Math.min(...times.other) / Math.min(...times.ours);
    console.log(
      `${options.where} ${name}: other / ours ${median(ratios).toFixed(3)} (${Math.min(...ratios).toFixed(3)}–` +
        `${Math.max(...ratios).toFixed(3)}), of the least times ${least.toFixed(3)}; ours ${Math.min(...times.ours).toFixed(2)} ms`,
    );
  }
} finally {
  await runner.close();
}
