// The same page in two more engines: it loads, draws the right pixels, trains to the same bits as the
// command line, and answers its DOM controls.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { decode, worstCell } from "./expected.mjs";
import { startFirefox } from "./firefox.mjs";
import { nativeHash } from "./native.mjs";
import { dist, serve } from "./server.mjs";
import { startWebKit } from "./webkit.mjs";

const steps = 300;
let wanted; // the hash of the weights after so many steps
before(() => (wanted = nativeHash("--task", "reverse", "--preset", "first-look", "--steps", String(steps))));

for (const [name, start] of [
  ["Firefox", startFirefox],
  ["WebKit", startWebKit],
]) {
  test(`the page works in ${name}`, { timeout: 300_000 }, async () => {
    const server = await serve(dist);
    const browser = await start();
    const state = () => browser.run("return playground.state()");
    const ready = () =>
      browser.run(`
        const loaded = (done) => (window.playground ? done(playground.ready) : setTimeout(loaded, 50, done));
        return new Promise(loaded).then(() => true)`);
    // Waits for a condition on the state, in pieces that no driver gives up on.
    const until = async (condition) => {
      for (let tries = 0; tries < 400; ++tries) {
        if (await browser.run(`return (${condition})(playground.state())`)) return state();
        await new Promise((done) => setTimeout(done, 250));
      }
      throw new Error(`${name} never came to ${condition}`);
    };
    // As a person would: press a labelled button, choose or type in a labelled field.
    const press = async (label) => {
      for (let tries = 0; tries < 40; ++tries) {
        const pressed = await browser.run(`
          const found = [...document.querySelectorAll("#controls button")].find((each) => each.textContent === "${label}");
          found?.click();
          return Boolean(found)`);
        if (pressed) return;
        await new Promise((done) => setTimeout(done, 250));
      }
      throw new Error(`${name} shows no button ${label}`);
    };
    const fill = (label, value) =>
      browser.run(`
        const found = [...document.querySelectorAll("label")].find((each) => each.textContent === "${label}");
        const field = document.getElementById(found.htmlFor);
        field.value = "${value}";
        field.dispatchEvent(new Event("input", { bubbles: true }));
        field.dispatchEvent(new Event("change", { bubbles: true }));
        return true`);
    try {
      await browser.open(`${server.address}?panel=positions`);
      await ready();
      const check = async (what) => {
        const now = await state();
        assert.equal(now.panel, "positions");
        const ratio = await browser.run("return devicePixelRatio");
        const worst = worstCell(decode(await browser.screenshot()), now, ratio);
        assert.ok(worst <= 4, `${what}: a pixel is off by ${worst}`);
      };
      await press("Pause").catch(() => {});
      await check("at the start");
      await fill("d_model", "32");
      await browser.run('return playground.command({ type: "set", name: "theme", value: "dark" }).then(() => true)');
      const changed = await state();
      assert.deepEqual([changed.settings.pe_d_model, changed.theme], [32, "dark"]);
      await check("with d_model 32, dark");

      await browser.open(`${server.address}?pace=max&steps=${steps}`);
      await ready();
      await until("(s) => s.step > 0");
      await press("Pause");
      const paused = await until("(s) => !s.running");
      await press("Step");
      await until(`(s) => s.step === ${paused.step + 1}`);
      await press("Play");
      await until(`(s) => s.state === "solved" || s.step >= ${steps}`);
      if ((await state()).step < steps) await press("Play");
      const done = await until(`(s) => s.step >= ${steps}`);
      assert.deepEqual([done.step, done.weights_hash], [steps, wanted]);
      await press("Reset");
      await until("(s) => s.step === 0");

      await fill("Task", "translate");
      await until('(s) => s.task === "translate"');
      await fill("Language", "ko");
      await until('(s) => s.language === "ko"');
      await fill("나의 입력", "나는 학교에 간다");
      await until("(s) => s.settings.try_input === '나는 학교에 간다' && s.shown.readouts.try_output");
    } finally {
      await browser.close();
      server.stop();
    }
  });
}
