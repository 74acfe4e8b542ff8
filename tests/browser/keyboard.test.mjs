// The page without a mouse, and with tools that look for what is below a pointer.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { startChromium } from "./chromium.mjs";
import { until } from "./until.mjs";

let chromium;
before(async () => (chromium = await startChromium()));
after(() => chromium?.stop());

// What has the keyboard: its name, and where it is.
const focused = (page) =>
  page.evaluate(() => {
    const field = document.activeElement;
    const box = field.closest(".control")?.getBoundingClientRect();
    return {
      name: field.name || field.textContent,
      tab: field.getAttribute("role") === "tab",
      box: box && { x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height },
    };
  });

// All stops of Tab, from the top of the page.
async function stops(page) {
  const all = [];
  for (let i = 0; i < 150; ++i) {
    await page.keyboard.press("Tab");
    const now = await focused(page);
    if (!now.box || all.some(({ box, name }) => name === now.name && box.x === now.box.x && box.y === now.box.y)) break;
    all.push(now);
  }
  return all;
}

describe("keyboard", () => {
  for (const [width, height] of [
    [1280, 800],
    [600, 800],
    [390, 844],
  ]) {
    test(`Play is the third stop of Tab, and every stop lies over its control (${width} wide)`, () =>
      chromium.onPage({ width, height }, async ({ page, state, command }) => {
        await command({ type: "step" });
        const all = await stops(page);
        const { places: named } = (await state()).shown;
        const over = (place) => ({ box }) => ["x", "width", "height"].every((side) => Math.abs(place[side] - box[side]) <= 1);
        const play = all.findIndex(over(named.play_pause)) + 1;
        const tab = all.findIndex((stop) => stop.tab) + 1;
        console.log(`${width} wide: Tab stops to Play ${play}, to the tabs ${tab}, of ${all.length}`);
        assert.equal(play, 3);
        assert.ok(tab > play && tab <= 9, `the tabs are stop ${tab}`);
        const places = Object.values((await state()).shown.places);
        const near = (a, b) => ["x", "y", "width", "height"].every((side) => Math.abs(a[side] - b[side]) <= 1);
        for (const { name, box } of all) {
          if (width === 390) continue; // the bar follows the page as it scrolls
          assert.ok(places.some((place) => near(place, box)), `${name} lies over nothing: ${JSON.stringify(box)}`);
        }
      }));
  }

  test("the input of Try it is reached by Tab from its tab", () =>
    chromium.onPage({}, async ({ page, command }) => {
      await command({ type: "set", name: "panel", value: "try" });
      const all = await stops(page);
      const tab = all.findIndex((stop) => stop.tab);
      const input = all.findIndex(({ name }) => name === "try_input");
      console.log(`Tab stops to the input of Try it: ${input + 1}`);
      assert.ok(input > tab && input <= tab + 3, `stop ${input + 1}, the tabs are ${tab + 1}`);
    }));

  test("nothing keeps the keyboard when its panel goes", () =>
    chromium.onPage({ query: "?panel=positions" }, async ({ page, command }) => {
      await page.getByLabel("Base", { exact: true }).focus();
      await command({ type: "set", name: "panel", value: "curves" });
      await page.waitForFunction(() => document.activeElement.id === "canvas");
      assert.equal(await page.locator(".control:focus-within").count(), 0);
    }));

  test("keys work before anything has the keyboard", () =>
    chromium.onPage({}, async (opened) => {
      await opened.page.keyboard.press("s");
      await until(opened, (s) => s.step === 1);
    }));

  test("a fork has a way back by a key", () =>
    chromium.onPage({}, async (opened) => {
      const { page, command } = opened;
      for (let step = 1; step <= 3; ++step) {
        await command({ type: "step" });
        await until(opened, (s) => s.step === step);
      }
      await command({ type: "rewind", step: 0 });
      await until(opened, (s) => s.step === 0);
      await command({ type: "step" });
      await until(opened, (s) => s.branch === 1 && s.step === 1);
      assert.equal(await page.getByRole("button", { name: "Back to branch 1" }).count(), 1);
      await page.keyboard.press("b");
      await until(opened, (s) => s.branch === 0 && s.step > 0);
    }));
});

describe("a pointer", () => {
  const below = (page, { x, y, width, height }) =>
    page.evaluate(([a, b]) => {
      const found = document.elementFromPoint(a, b);
      return { tag: found.tagName, name: found.name || found.textContent };
    }, [x + width / 2, y + height / 2]);

  test("finds the DOM twin below it, and a press counts once", () =>
    chromium.onPage({}, async (opened) => {
      const { page, state } = opened;
      const { places } = (await state()).shown;
      assert.deepEqual(await below(page, places.step), { tag: "BUTTON", name: "Step" });
      assert.deepEqual(await below(page, places.task), { tag: "SELECT", name: "task" });
      await page.getByRole("button", { name: "Step", exact: true }).click();
      await until(opened, (s) => s.step === 1);
      await page.waitForTimeout(300);
      assert.equal((await state()).step, 1);
      assert.equal(await page.evaluate(() => document.activeElement.id), "canvas");
      // A tool presses without a pointer.
      await page.evaluate(() => [...document.querySelectorAll("button")].find((b) => b.textContent === "Step").click());
      await until(opened, (s) => s.step === 2);
    }));

  test("a field that is typed in is as tall as its frame", () =>
    chromium.onPage({ touch: true, query: "?panel=try" }, async ({ page, state }) => {
      const twin = (await state()).shown.places.try_input;
      await page.touchscreen.tap(twin.x + 20, twin.y + twin.height / 2);
      await page.waitForFunction(() => document.activeElement.name === "try_input");
      // The first touch makes every control taller: field and frame are compared as of one picture.
      await page.waitForFunction(() => {
        const box = document.getElementById("control-try_input").getBoundingClientRect();
        const place = window.playground.state().shown.places.try_input;
        return Math.abs(box.height - place.height) <= 1 && Math.abs(box.y - place.y) <= 1;
      }, null, { timeout: 5000 });
    }));
});
