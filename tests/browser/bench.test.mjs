// The benchmark runs and prints; how fast anything is, no test says.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import path from "node:path";
import { test } from "node:test";

import { project } from "./server.mjs";

test("bench/run measures natively, under node and in Chromium", { timeout: 300_000 }, () => {
  const program = path.join(project, "bench/run");
  const printed = execFileSync(program, ["--smoke", "--tp", path.join(project, "build/dev/bin/tp")], { encoding: "utf8" });
  for (const contender of ["native-exact", "native-fused", "node-exact", "node-fused", "chromium-exact", "chromium-fused"]) {
    assert.match(printed, new RegExp(`tiny +${contender} +[0-9.]+ ms`));
  }
});
