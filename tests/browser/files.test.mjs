// What goes into files and comes out of them: models, curves, pictures, texts of the user's own, and the run that
// the browser keeps for the next visit.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { startChromium } from "./chromium.mjs";
import { decode } from "./expected.mjs";
import { until } from "./until.mjs";

let chromium;
let folder;
before(async () => {
  chromium = await startChromium();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "playground-"));
});
after(async () => {
  await chromium?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

describe("files", () => {
  test("a saved model comes back by the file chooser, and a broken one is refused", () =>
    chromium.onPage({ query: "?pace=max" }, async (opened) => {
      const { page, command, state } = opened;
      await command({ type: "play" });
      await until(opened, (s) => s.step >= 20);
      await command({ type: "pause" });
      const saved = await until(opened, (s) => !s.running);
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "Save", exact: true }).press("Enter");
      const file = path.join(folder, "model.safetensors");
      await (await download).saveAs(file);
      await command({ type: "reset" });
      await until(opened, (s) => s.step === 0);
      await page.locator("#file").setInputFiles(file);
      const loaded = await until(opened, (s) => s.step === (saved.step));
      assert.equal(loaded.weights_hash, saved.weights_hash);
      for (const name of ["MODEL.SAFETENSORS", "m (1)"]) {
        await command({ type: "reset" });
        await until(opened, (s) => s.step === 0);
        fs.copyFileSync(file, path.join(folder, name));
        await page.locator("#file").setInputFiles(path.join(folder, name));
        assert.equal((await until(opened, (s) => s.step === saved.step)).weights_hash, saved.weights_hash, name);
      }
      fs.writeFileSync(path.join(folder, "broken.safetensors"), fs.readFileSync(file).subarray(0, 1000));
      await page.locator("#file").setInputFiles(path.join(folder, "broken.safetensors"));
      const refused = await until(opened, (s) => s.error);
      assert.deepEqual([refused.step, refused.weights_hash], [saved.step, saved.weights_hash]);
      await command({ type: "step" });
      assert.equal((await until(opened, (s) => s.step === (saved.step + 1))).step, saved.step + 1);
      assert.equal(typeof (await state()).error, "string");
    }));

  for (const [locale, sentence] of [
    ["en-US", /^This file cannot be used/],
    ["ko-KR", /^쓸 수 없는 파일/],
  ]) {
    test(`a picture is no model and no text: one sentence, and everything stays (${locale})`, () =>
      chromium.onPage({ locale }, async (opened) => {
        const { page, command } = opened;
        const before_ = await command({ type: "step" });
        const file = path.join(folder, "picture.safetensors");
        fs.writeFileSync(file, await page.screenshot());
        await page.locator("#file").setInputFiles(file);
        const refused = await until(opened, (s) => s.error);
        assert.match(refused.error, sentence);
        assert.equal(refused.notices.length, 1);
        assert.deepEqual([refused.task, refused.step, refused.settings], ["reverse", 1, before_.settings]);
      }));
  }

  test("curves as CSV and a plot as PNG hold what is shown", () =>
    chromium.onPage({ query: "?pace=max&panel=curves" }, async (opened) => {
      const { page, command } = opened;
      await command({ type: "play" });
      await until(opened, (s) => s.step >= 30);
      await command({ type: "pause" });
      const now = await until(opened, (s) => !s.running);
      const csv = page.waitForEvent("download");
      await page.getByRole("button", { name: "CSV", exact: true }).press("Enter");
      const rows = fs.readFileSync(await (await csv).path(), "utf8").trim().split("\n");
      assert.match(rows[0], /^step,loss,perplexity,token_accuracy,learning_rate,gradient_norm,tokens_per_second,heldout_loss,heldout_exact/);
      assert.match(rows[1], /^0,,/, "before the first step there is an exam alone");
      assert.equal(rows.length, now.step + 2);
      const [step, loss] = rows.at(-1).split(",").map(Number);
      assert.deepEqual([step, loss], [now.step, now.metrics.loss]);
      const png = page.waitForEvent("download");
      await page.getByRole("button", { name: "PNG", exact: true }).first().press("Enter");
      const image = decode(fs.readFileSync(await (await png).path()));
      const place = now.shown.places.curves;
      assert.deepEqual([image.width, image.height], [Math.round(place.width), Math.round(place.height)]);
      const colours = new Set();
      for (let x = 0; x < image.width; x += 3) for (let y = 0; y < image.height; y += 3) colours.add(image.at(x, y).join());
      assert.ok(colours.size > 5, "there is a plot in it");
    }));

  test("after a reload the run is offered again, and goes on where it was", () =>
    chromium.onPage({ query: "?pace=max" }, async (opened) => {
      const { page, command } = opened;
      await command({ type: "play" });
      await until(opened, (s) => s.step >= 10);
      await command({ type: "pause" });
      const left = await until(opened, (s) => !s.running);
      await page.evaluate(async () => {
        Object.defineProperty(document, "hidden", { value: true, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
        await new Promise((done) => setTimeout(done, 1500));
      });
      await page.reload();
      await page.evaluate(() => window.playground.ready);
      await page.getByRole("button", { name: "Continue it" }).press("Enter");
      const again = await until(opened, (s) => s.step === (left.step));
      assert.equal(again.weights_hash, left.weights_hash);
      assert.equal(await page.getByRole("button", { name: "Continue it" }).count(), 0);
    }));
});

describe("the run that is kept", () => {
  // What the browser holds for the next visit.
  const stored = (page) =>
    page.evaluate(
      () =>
        new Promise((resolve) => {
          const opening = indexedDB.open("transformer-playground", 1);
          opening.onupgradeneeded = () => opening.result.createObjectStore("runs");
          opening.onsuccess = () => {
            const request = opening.result.transaction("runs").objectStore("runs").getAll();
            request.onsuccess = () => {
              opening.result.close();
              const [newest] = request.result.sort((a, b) => b.at - a.at);
              resolve(newest && { task: newest.task, step: newest.step });
            };
          };
        }),
    );
  async function untilStored(page, condition, seconds) {
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await page.waitForTimeout(100)) {
      const record = await stored(page);
      if (record && condition(record)) return record;
    }
    throw new Error(`never kept ${condition}; last: ${JSON.stringify(await stored(page))}`);
  }

  test("it is there after a few seconds, and what is offered stays while another run is kept", () =>
    chromium.onPage({ query: "?pace=max" }, async (opened) => {
      const { page, command, state } = opened;
      const offer = page.getByRole("button", { name: "Continue it" });
      for (let i = 0; i < 5; ++i) await command({ type: "step" });
      const left = await until(opened, (s) => s.step === 5);
      assert.equal((await untilStored(page, ({ step }) => step === 5, 10)).task, "reverse", "long before 15 seconds");
      await page.goto(`${chromium.address}?task=sort&pace=5`);
      await page.evaluate(() => window.playground.ready);
      await offer.waitFor({ state: "attached" });
      await command({ type: "play" });
      await page.waitForTimeout(5000);
      assert.equal((await stored(page)).task, "reverse", "the one offered is not replaced at once");
      await untilStored(page, ({ task }) => task === "sort", 40);
      await offer.press("Enter");
      const again = await until(opened, (s) => s.task === "reverse");
      assert.deepEqual([again.step, again.weights_hash], [left.step, left.weights_hash]);
      await untilStored(page, ({ task, step }) => task === "reverse" && step === 5, 10);
      assert.equal((await state()).error, null);
    }));

  test("after a reload the moment that was on the screen is offered", () =>
    chromium.onPage({ query: "?pace=max" }, async (opened) => {
      const { page, command } = opened;
      await command({ type: "play" });
      await until(opened, (s) => s.step >= 40);
      await command({ type: "pause" });
      await page.waitForTimeout(1000);
      await command({ type: "rewind", step: 0 });
      const rewound = await command({ type: "later" });
      assert.ok(rewound.step > 0);
      await page.waitForTimeout(1000);
      await page.reload();
      await page.evaluate(() => window.playground.ready);
      await page.getByRole("button", { name: "Continue it" }).press("Enter");
      const again = await until(opened, (s) => s.step > 0);
      assert.deepEqual([again.step, again.weights_hash], [rewound.step, rewound.weights_hash]);
    }));

  test("a second tab neither takes the run of the first nor overwrites it", () =>
    chromium.onPage({ query: "?pace=max" }, async (opened) => {
      const { page, command } = opened;
      for (let i = 0; i < 5; ++i) await command({ type: "step" });
      await untilStored(page, ({ step }) => step === 5, 10);
      const second = await page.context().newPage();
      await second.goto(`${chromium.address}?task=sort`);
      await second.evaluate(() => window.playground.ready);
      const offers = (tab) => tab.getByRole("button", { name: "Continue it" });
      await second.waitForTimeout(1000);
      assert.equal(await offers(second).count(), 0, "it goes on in the first tab");
      await second.evaluate(() => window.playground.command({ type: "step" }));
      await untilStored(page, ({ task }) => task === "sort", 10);
      await page.reload();
      await page.evaluate(() => window.playground.ready);
      await offers(page).press("Enter");
      await until(opened, (s) => s.task === "reverse" && s.step === 5);
    }));

  test("discarding the one offered keeps the run that goes on", () =>
    chromium.onPage({ query: "?pace=max" }, async (opened) => {
      const { page, command } = opened;
      await command({ type: "step" });
      await untilStored(page, ({ step }) => step === 1, 10);
      await page.reload();
      await page.evaluate(() => window.playground.ready);
      await page.getByRole("button", { name: "Discard" }).press("Enter");
      for (let i = 0; i < 3; ++i) await command({ type: "step" });
      await untilStored(page, ({ step }) => step === 3, 10);
    }));
});

describe("the user's own text", () => {
  test("pairs opens with lines in a box, which can be edited; a saved run brings its lines along", () =>
    chromium.onPage({ query: "?task=pairs&pace=max" }, async (opened) => {
      const { page, command, state } = opened;
      assert.deepEqual([(await state()).task, (await state()).error], ["pairs", null]);
      await command({ type: "step" });
      await page.getByRole("button", { name: "Edit the lines" }).press("Enter");
      const field = page.getByRole("textbox", { name: /One pair on each line/ });
      assert.match(await field.inputValue(), /^red cat = chat rouge\n/);
      await field.fill(Array.from({ length: 12 }, (_, i) => `number ${i} = ${i}`).join("\n"));
      await page.getByRole("button", { name: "Learn these" }).click();
      await until(opened, (s) => s.run === 2 && s.task === "pairs");
      await command({ type: "step" });
      const [download] = await Promise.all([page.waitForEvent("download"), command({ type: "save" })]);
      const bytes = fs.readFileSync(await download.path());
      const saved = await state();
      await page.goto(chromium.address);
      await page.evaluate(() => window.playground.ready);
      await page.setInputFiles("#file", { name: "run.safetensors", mimeType: "application/octet-stream", buffer: bytes });
      const again = await until(opened, (s) => s.task === "pairs");
      assert.deepEqual([again.step, again.weights_hash, again.error], [1, saved.weights_hash, null]);
      await command({ type: "reset" });
      await until(opened, (s) => s.task === "pairs" && s.step === 0);
      await page.getByRole("button", { name: "Edit the lines" }).press("Enter");
      assert.match(await field.inputValue(), /^number 0 = 0\n/);
    }));

  const paste = (page, text) =>
    page.evaluate((given) => {
      const data = new DataTransfer();
      data.setData("text/plain", given);
      document.getElementById("canvas").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    }, text);

  test("pasted pairs are learned; one column gets a sentence, and the run stays", () =>
    chromium.onPage({ query: "?pace=max" }, async (opened) => {
      const { page, command, state } = opened;
      await command({ type: "play" });
      await until(opened, (s) => s.step >= 5);
      await paste(page, "only\none\ncolumn\n");
      const refused = await until(opened, (s) => s.error);
      assert.match(refused.error, /tab/i);
      assert.deepEqual([refused.task, refused.settings.task, refused.step > 0], ["reverse", "reverse", true]);
      await paste(page, "word"); // a slip
      const pairs = Array.from({ length: 60 }, (_, i) => `${i} 고양이\tcat ${i}`).join("\n");
      await paste(page, pairs);
      await until(opened, (s) => s.task === "pairs");
      await command({ type: "play" });
      await until(opened, (s) => s.task === "pairs" && s.step > 3);
      assert.equal((await state()).error, null);
    }));
});
