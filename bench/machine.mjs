// Where a run was made, and with what.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";

import { inProject } from "./project.mjs";

function commit() {
  try {
    return execFileSync("git", ["-C", inProject(), "rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  } catch {
    return "unknown";
  }
}

function packageVersions() {
  const { dependencies } = JSON.parse(fs.readFileSync(inProject("bench/package.json"), "utf8"));
  return Object.fromEntries(Object.entries(dependencies).filter(([name]) => name !== "playwright-core"));
}

export function describeMachine(measurements, chromium) {
  const [first] = os.cpus();
  const flags = fs.existsSync("/proc/cpuinfo") ? fs.readFileSync("/proc/cpuinfo", "utf8") : "";
  const wide = [["AVX-512", /\bavx512f\b/], ["AVX2", /\bavx2\b/], ["FMA", /\bfma\b/]];
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    processor: first?.model ?? "unknown",
    cores: os.cpus().length,
    has: wide.filter(([, pattern]) => pattern.test(flags)).map(([name]) => name),
    versions: {
      node: process.version.slice(1),
      chromium,
      pytorch: measurements.find(({ contender }) => contender === "pytorch")?.version ?? null,
      ...packageVersions(),
    },
  };
}
