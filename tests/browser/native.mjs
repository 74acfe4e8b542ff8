// The command line, built natively, as the measure of what the page computes.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { project } from "./server.mjs";

const program = path.join(project, "build/dev/bin/tp");

// Trains into `folder` and returns what was printed.
export function train(folder, ...settings) {
  if (!fs.existsSync(program)) {
    throw new Error(`${program} is missing; build it with: cmake --preset dev && cmake --build build/dev --target tp`);
  }
  return execFileSync(program, ["train", ...settings, "--out", folder], { encoding: "utf8" });
}

// The hash of the weights that a run ends with.
export function nativeHash(...settings) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tp-"));
  try {
    return train(path.join(folder, "run"), ...settings).match(/weights ([0-9a-f]{16})/)[1];
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
