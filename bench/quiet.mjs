// What other programs take of the processor: the reason why measurements are waited for, and repeated.

import fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const ticksPerSecond = 100; // of /proc, on every Linux

// Ticks of all processors since the machine started. Nothing where there is no /proc.
function machineTicks() {
  try {
    const [user, nice, system, idle, waiting, interrupts, soft, stolen] = fs
      .readFileSync("/proc/stat", "utf8")
      .split("\n")[0]
      .split(/\s+/)
      .slice(1)
      .map(Number);
    const busy = user + nice + system + interrupts + soft + stolen;
    return { busy, all: busy + idle + waiting };
  } catch {
    return null;
  }
}

// Ticks of this process and of all that it started, also of those that have ended.
function ownTicks() {
  const processes = new Map();
  for (const name of fs.readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const text = fs.readFileSync(`/proc/${name}/stat`, "utf8");
      const fields = text.slice(text.lastIndexOf(")") + 2).split(" "); // the name before it may hold spaces
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
      processes.set(Number(name), { parent: Number(fields[1]), ticks });
    } catch {
      // It ended meanwhile.
    }
  }
  const isOwn = (id) => id === process.pid || (processes.has(id) && isOwn(processes.get(id).parent));
  return [...processes].filter(([id]) => isOwn(id)).reduce((sum, [, { ticks }]) => sum + ticks, 0);
}

// Waits until at most 15% of the machine were busy over 0.4 s, but not for longer than 5 s. Between
// measurements none of our own programs work.
export async function waitForQuiet() {
  for (const end = Date.now() + 5000; Date.now() < end; ) {
    const before = machineTicks();
    if (!before) return;
    await sleep(400);
    const after = machineTicks();
    if ((after.busy - before.busy) / (after.all - before.all) <= 0.15) return;
  }
}

// Runs something, and says how many cores other programs kept busy meanwhile.
export async function withForeignShare(work) {
  const before = machineTicks();
  if (!before) return { result: await work(), foreign: null };
  const own = ownTicks();
  const started = performance.now();
  const result = await work();
  const seconds = (performance.now() - started) / 1000;
  const foreign = (machineTicks().busy - before.busy - (ownTicks() - own)) / ticksPerSecond / seconds;
  return { result, foreign: Math.max(0, Math.round(foreign * 100) / 100) };
}
