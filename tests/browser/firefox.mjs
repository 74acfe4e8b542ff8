// Firefox on a virtual display, with WebGL 2 on the software renderer.

import puppeteer from "puppeteer-core";

import { startDisplay } from "./display.mjs";

export async function startFirefox() {
  const display = await startDisplay();
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: "/usr/bin/firefox-esr",
    headless: false,
    env: display.environment,
    extraPrefsFirefox: { "webgl.force-enabled": true, "gfx.webrender.software": true, "intl.accept_languages": "en-US" },
  });
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  return {
    open: (address) => page.goto(address),
    evaluate: (use, argument) => page.evaluate(use, argument),
    run: (body) => page.evaluate(`(() => { ${body} })()`),
    screenshot: async () => Buffer.from(await page.screenshot()),
    close: async () => {
      await browser.close();
      display.stop();
    },
  };
}
