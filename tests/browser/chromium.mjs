// Real Chromium, driven by Playwright. Every page is watched: a console error, a violated policy, a
// failed request or a request to another host fails the test.

import assert from "node:assert/strict";
import { chromium } from "playwright-core";

import { chromiumFlags, chromiumPath } from "./chromium_flags.mjs";
import { dist, serve } from "./server.mjs";

export async function startChromium() {
  const server = await serve(dist);
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags });

  // Opens the page and waits until it is ready. `allow` names console messages that belong to the test.
  async function open(options = {}) {
    const { query = "", width = 1280, height = 800, locale = "en-US", theme = "dark", ratio = 1 } = options;
    const context = await browser.newContext({
      viewport: { width, height },
      deviceScaleFactor: ratio,
      colorScheme: theme,
      reducedMotion: options.plays ? "no-preference" : "reduce", // then nothing plays by itself
      acceptDownloads: true,
      hasTouch: options.touch ?? false,
      locale,
    });
    if (options.before) await context.addInitScript(options.before);
    const page = await context.newPage();
    const problems = [];
    const requests = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type()) && !options.allow?.test(message.text())) {
        problems.push(`console: ${message.text()}`);
      }
    });
    page.on("pageerror", (error) => problems.push(`error: ${error}`));
    page.on("requestfailed", (request) => {
      if (!options.allow?.test(request.url())) problems.push(`request failed: ${request.url()}`);
    });
    page.on("request", (request) => {
      requests.push(request.url());
      const own = [server.address, ...(options.hosts ?? [])].some((host) => request.url().startsWith(host));
      if (!own && !/^(blob|data):/.test(request.url())) {
        problems.push(`request to another host: ${request.url()}`);
      }
    });
    if (options.route) await options.route(page);
    await page.goto((options.at ?? server.address) + (options.path ?? "") + query);
    if (!options.notReady) await page.evaluate(() => window.playground.ready);
    return {
      page,
      requests,
      state: () => page.evaluate(() => window.playground.state()),
      command: (object) => page.evaluate((given) => window.playground.command(given), object),
      close: async () => {
        await context.close();
        assert.deepEqual(problems, []);
      },
    };
  }

  // Runs a test on a page of its own and looks for problems at the end.
  async function onPage(options, test) {
    const opened = await open(options);
    try {
      await test(opened);
    } catch (error) {
      await opened.close().catch(() => {});
      throw error;
    }
    await opened.close();
  }

  return {
    onPage,
    browser,
    address: server.address,
    stop: async () => {
      await browser.close();
      server.stop();
    },
  };
}
