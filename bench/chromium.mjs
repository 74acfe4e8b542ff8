// Chromium for the measurements that need one: started with the first, closed at the end.

import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";

import { chromiumFlags, chromiumPath } from "../tests/browser/chromium_flags.mjs";
import { project } from "./project.mjs";

// A page in the background must run at full speed, too.
const flags = [...chromiumFlags, "--disable-background-timer-throttling", "--disable-renderer-backgrounding"];

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".ttf": "font/ttf",
};

// Playwright from here, or from the browser tests, which have the same version.
function findPlaywright() {
  for (const folder of ["bench", "tests/browser"]) {
    try {
      return createRequire(path.join(project, folder, "package.json"))("playwright-core");
    } catch {
      // The other one, then.
    }
  }
  return null;
}

// A sentence when Chromium cannot be had.
export function missingChromium() {
  if (!findPlaywright()) return "playwright-core is missing: npm ci --ignore-scripts --prefix bench";
  if (!fs.existsSync(chromiumPath)) return `${chromiumPath} is missing: apt-get install chromium`;
  return null;
}

// Serves the project's folder. Threads need `isolated`: the two headers that share memory between them.
export async function serve(isolated) {
  const headers = isolated
    ? { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" }
    : {};
  const server = http.createServer((request, response) => {
    const wanted = path.join(project, decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    const file = wanted.endsWith("/") ? `${wanted}index.html` : wanted;
    if (!file.startsWith(project)) return response.writeHead(403).end();
    return fs.readFile(file, (error, data) => {
      const type = types[path.extname(file)] ?? "application/octet-stream";
      response.writeHead(error ? 404 : 200, { "Content-Type": error ? "text/plain" : type, ...headers });
      response.end(error ? "not found" : data);
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

// One page that goes from address to address.
export async function openChromium() {
  const browser = await findPlaywright().chromium.launch({ executablePath: chromiumPath, args: flags });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
  page.setDefaultTimeout(0);
  return {
    open: (address) => page.goto(address),
    evaluate: (use, argument) => page.evaluate(use, argument),
    close: () => browser.close(),
  };
}

export class Chromium {
  #browser = null;
  #servers = new Map(); // by whether it isolates

  async #address(isolated) {
    if (!this.#servers.has(isolated)) this.#servers.set(isolated, await serve(isolated));
    return this.#servers.get(isolated).address;
  }

  // Opens a page of the project's folder for as long as `use` takes.
  async withPage(file, use, { isolated = false, progress } = {}) {
    const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }; // main.mjs closes it
    this.#browser ??= findPlaywright().chromium.launch({ executablePath: chromiumPath, args: flags, ...signals });
    const browser = await this.#browser;
    // With less motion wanted, the playground does not play by itself.
    const context = await browser.newContext({ reducedMotion: "reduce", locale: "en-US" });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(0);
      if (progress) page.on("console", (message) => message.type() === "info" && progress(message.text()));
      await page.goto(`${await this.#address(isolated)}/${file}`);
      return await use(page);
    } finally {
      await context.close().catch(() => {});
    }
  }

  // Has a Worker of bench/page.html measure.
  measure(request, options) {
    const use = async (page) => {
      await page.waitForFunction(() => window.measure);
      return page.evaluate((given) => window.measure(given), request);
    };
    return this.withPage("bench/page.html", use, options);
  }

  async version() {
    return this.#browser ? (await this.#browser).version() : null;
  }

  async close() {
    const browser = await this.#browser?.catch(() => null);
    await browser?.close().catch(() => {});
    for (const server of this.#servers.values()) server.close();
  }
}
