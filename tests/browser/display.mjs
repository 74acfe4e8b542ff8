// A virtual display for browsers that draw WebGL only with one.

import { spawn } from "node:child_process";
import { once } from "node:events";

export async function startDisplay() {
  const server = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1400x1000x24", "-nolisten", "tcp", "-noreset"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const [number] = await once(server.stdio[3], "data");
  return {
    environment: { ...process.env, DISPLAY: `:${String(number).trim()}`, LIBGL_ALWAYS_SOFTWARE: "1" },
    stop: () => server.kill(),
  };
}
