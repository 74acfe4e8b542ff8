// Programs that bench/run starts and waits for.

import { spawn } from "node:child_process";

const running = new Set();

// Runs a program, and returns the last line of JSON that it printed. `progress` gets its lines of stderr.
export function jsonOf(command, words, { environment = {}, progress } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "pipe"] });
    running.add(child);
    let [output, errors] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
    child.stderr.setEncoding("utf8").on("data", (text) => {
      errors += text;
      if (progress) text.trim().split("\n").forEach(progress);
    });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      running.delete(child);
      const line = output.split("\n").findLast((text) => text.startsWith("{"));
      if (code === 0 && line) return resolve(JSON.parse(line));
      const reason = (errors || output).trim().split("\n").at(-1);
      reject(new Error(`${command} ${words[0]} ${signal ? `was ended by ${signal}` : `failed: ${reason}`}`));
    });
  });
}

export function stopPrograms() {
  for (const child of running) child.kill();
}
