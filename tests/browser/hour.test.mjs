// A newcomer's hour: every task, every tab, both languages, three sizes, at rest and in each unusual state. Nothing
// overlaps, nothing is cut off, no control leaves its panel.

import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";

import { startChromium } from "./chromium.mjs";
import { atRest, checkControls, checkTexts } from "./layout.mjs";
import { until } from "./until.mjs";

let chromium;
before(async () => (chromium = await startChromium()));
after(() => chromium?.stop());

const sizes = [
  [1280, 800],
  [600, 800],
  [390, 844],
];

// Looks at every tab at every size and in both languages. `arrange` brings the state about again where a change of tab
// or size ends it, as a menu closes.
async function lookAround({ page, command, state }, what, { panels, arrange = () => {} } = {}) {
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    for (const language of ["en", "ko"]) {
      await command({ type: "set", name: "language", value: language });
      for (const panel of panels ?? (await state()).panels) {
        await command({ type: "set", name: "panel", value: panel });
        await arrange();
        const where = `${what}, ${width}x${height} ${language} ${panel}`;
        await atRest(state, ({ shown, panels: all }) => {
          checkTexts(shown, where);
          checkControls(shown, all, where);
        });
      }
    }
  }
}

const tasks = ["copy", "reverse", "sort", "add", "date", "translate", "text", "balance", "forecast", "shapes", "pairs"];

describe("every task", () => {
  for (const task of tasks) {
    test(task, { timeout: 180_000 }, () =>
      chromium.onPage({ query: `?task=${task}&pace=max` }, async (opened) => {
        await opened.command({ type: "step" });
        await until(opened, (s) => s.step === 1 && s.shown.texts.length > 20);
        assert.equal((await opened.state()).task, task);
        await lookAround(opened, task);
      }));
  }
});

describe("unusual states", () => {
  const inState = (name, query, bring, options = {}) =>
    test(name, { timeout: 240_000 }, () =>
      chromium.onPage({ query }, async (opened) => {
        await bring(opened);
        await lookAround(opened, name, options.arrange ? { ...options, arrange: () => options.arrange(opened) } : options);
      }));

  inState("changes that wait", "", async ({ command, state }) => {
    await command({ type: "set", name: "heads", value: 4 });
    await command({ type: "set", name: "batch", value: 32 });
    assert.deepEqual((await state()).waiting.length > 0, true);
  });

  inState("an error", "", async (opened) => {
    await opened.command({ type: "step" });
    await opened.command({ type: "set", name: "d_model", value: 4096 });
    await opened.command({ type: "reset" }).catch(() => {});
    await until(opened, (s) => s.error);
  });

  inState("three notices", "?nonsense=1&panel=nowhere&heads=99", async ({ state }) => {
    assert.equal((await state()).notices.length, 3);
  });

  inState("solved", "?pace=max", async (opened) => {
    await opened.command({ type: "play" });
    await until(opened, (s) => s.state === "solved");
  });

  inState("slow motion", "?pace=1", async (opened) => {
    await opened.command({ type: "play" });
    await until(opened, (s) => s.step >= 1);
  });

  inState("a fork", "?pace=max", async (opened) => {
    await opened.command({ type: "play" });
    await until(opened, (s) => s.step >= 60);
    await opened.command({ type: "pause" });
    await opened.command({ type: "rewind", step: 25 });
    await opened.command({ type: "step" });
    await until(opened, (s) => s.branches.length === 2 && !s.running);
  });

  test("the menu", { timeout: 120_000 }, () =>
    chromium.onPage({ width: 600 }, async ({ page, command, state }) => {
      for (const [width, height] of sizes.slice(1)) {
        await page.setViewportSize({ width, height });
        for (const language of ["en", "ko"]) {
          await command({ type: "set", name: "language", value: language });
          await command({ type: "menu" });
          const { shown } = await state();
          for (const [name, box] of Object.entries(shown.places)) {
            assert.ok(box.x >= -1 && box.x + box.width <= width + 1, `${width} ${language}: ${name} leaves the page`);
          }
          await command({ type: "menu" });
        }
      }
    }));
});
