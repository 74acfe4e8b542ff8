// Starts the project's own server, with the policy that the README recommends to hosts.

import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const project = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
export const dist = path.join(project, "dist");

export async function serve(folder, ...flags) {
  const process_ = spawn("python3", [path.join(project, "tools/serve.py"), folder, "--port", "0", ...flags], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(process_.stdout, "data");
  return { address: String(line).trim(), stop: () => process_.kill() };
}
