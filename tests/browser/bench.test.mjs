// The benchmark runs and prints; how fast anything is, no test says.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";

import { project } from "./server.mjs";

const program = path.join(project, "bench/run");

test("bench/run measures natively, under node and in Chromium", { timeout: 300_000 }, () => {
  const printed = execFileSync(program, ["--smoke", "--tp", path.join(project, "build/dev/bin/tp")], { encoding: "utf8" });
  for (const contender of ["native-exact", "native-fused", "node-exact", "node-fused", "chromium-exact", "chromium-fused"]) {
    assert.match(printed, new RegExp(`tiny +${contender} +[0-9.]+ ms`));
  }
});

test("what another run measured keeps the rounds and seconds of that run", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bench-"));
  const [earlier, later] = ["earlier.json", "later.json"].map((name) => path.join(folder, name));
  const measurement = { round: 1, case: "tiny", contender: "native-exact", unit: "step", ms: 10, min: 9, max: 11, iterations: 5 };
  fs.writeFileSync(earlier, JSON.stringify({ rounds: 7, seconds: 0.25, measurements: [measurement] }));
  execFileSync(program, ["--cases", "learn", "--only", "^nobody$", "--with", earlier, "--json", later]);
  const { rounds, seconds, measurements } = JSON.parse(fs.readFileSync(later, "utf8"));
  assert.deepEqual({ rounds, seconds, count: measurements.length }, { rounds: 7, seconds: 0.25, count: 1 });
  fs.rmSync(folder, { recursive: true });
});
