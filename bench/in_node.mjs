// Our WebAssembly module in node: in_node.mjs MODULE CASE SECONDS [exact|fused] [THREADS]. Prints a line of
// JSON. The module with relaxed SIMD needs node --experimental-wasm-relaxed-simd.

import path from "node:path";
import { pathToFileURL } from "node:url";

import { measureInModule } from "./wasm_module.mjs";

const [file, name, seconds = "2", arithmetic = "exact", threads = "1"] = process.argv.slice(2);
if (!name) {
  console.error("in_node.mjs MODULE CASE SECONDS [exact|fused] [THREADS]");
  process.exit(2);
}
const { default: createModule } = await import(pathToFileURL(path.resolve(file)));
const request = { case: name, seconds: Number(seconds), fused: arithmetic === "fused", threads: Number(threads) };
console.log(JSON.stringify(await measureInModule(createModule, request)));
process.exit(); // threads of the module would keep it alive
