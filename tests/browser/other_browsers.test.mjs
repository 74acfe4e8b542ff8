// The same page in two more engines: it loads, draws the right pixels, answers state() and a DOM control.

import assert from "node:assert/strict";
import { test } from "node:test";

import { decode, worstCell } from "./expected.mjs";
import { startFirefox } from "./firefox.mjs";
import { dist, serve } from "./server.mjs";
import { startWebKit } from "./webkit.mjs";

for (const [name, start] of [
  ["Firefox", startFirefox],
  ["WebKit", startWebKit],
]) {
  test(`the page works in ${name}`, { timeout: 180_000 }, async () => {
    const server = await serve(dist);
    const browser = await start();
    try {
      await browser.open(`${server.address}?panel=positions`);
      await browser.run(`
        const loaded = (done) => (window.playground ? done(playground.ready) : setTimeout(loaded, 50, done));
        return new Promise(loaded).then(() => true)`);
      const state = () => browser.run("return playground.state()");
      const picture = async () => decode(await browser.screenshot());
      const check = async (what) => {
        const now = await state();
        assert.equal(now.panel, "positions");
        const ratio = await browser.run("return devicePixelRatio");
        const worst = worstCell(await picture(), now, ratio);
        assert.ok(worst <= 4, `${what}: a pixel is off by ${worst}`);
      };
      await check("at the start");
      // As a person would: put a number into the labelled field.
      await browser.run(`
        const label = [...document.querySelectorAll("label")].find((each) => each.textContent === "d_model");
        const field = document.getElementById(label.htmlFor);
        field.value = "32";
        field.dispatchEvent(new Event("input", { bubbles: true }));
        field.dispatchEvent(new Event("change", { bubbles: true }));
        return playground.command({ type: "set", name: "theme", value: "dark" }).then(() => true)`);
      const now = await state();
      assert.deepEqual([now.settings.pe_d_model, now.theme], [32, "dark"]);
      await check("with d_model 32, dark");
      await browser.run('return playground.command({ type: "set", name: "language", value: "ko" }).then(() => true)');
      assert.equal((await state()).language, "ko");
    } finally {
      await browser.close();
      server.stop();
    }
  });
}
