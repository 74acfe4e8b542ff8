// The panel Inside: the map of the model, its microscope, and where a number came from.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { startChromium } from "./chromium.mjs";
import { atRest, checkControls, checkTexts } from "./layout.mjs";
import { until } from "./until.mjs";

let chromium;
before(async () => (chromium = await startChromium()));
after(() => chromium?.stop());

const tree = (shown) => Object.keys(shown.places).filter((name) => name.startsWith("tree_"));

const mapIsThere = (opened) => until(opened, ({ shown }) => tree(shown).length > 4);
const microscopeShows = (opened, text) => until(opened, ({ shown }) => shown.readouts.microscope?.startsWith(text));

// Waits until the map is there, and opens all of it.
async function openAll(opened) {
  const { page, command } = opened;
  await command({ type: "step" });
  await mapIsThere(opened);
  const parts = new Set();
  for (;;) {
    const closed = await page.evaluate(() =>
      [...document.querySelectorAll("[role=treeitem][aria-expanded=false]")].map(({ value }) => value.slice("tree_".length)),
    );
    const next = closed.find((path) => !parts.has(path));
    if (!next) return parts;
    parts.add(next);
    await command({ type: "fold", path: next });
  }
}

// One tensor of each name, in the order of the map.
function kinds(shown) {
  const seen = new Map();
  for (const name of tree(shown)) {
    const path = name.slice("tree_".length);
    const kind = path.split(".").at(-1);
    if (!seen.has(kind)) seen.set(kind, path);
  }
  return [...seen.values()];
}

describe("inside", () => {
  for (const [width, height] of [
    [1280, 800],
    [600, 800],
    [390, 844],
  ]) {
    for (const locale of ["en-US", "ko-KR"]) {
      test(`every block opens and every kind of tensor is shown, ${width} wide, ${locale}`, () =>
        chromium.onPage({ width, height, locale, query: "?panel=inside" }, async (opened) => {
          const { state, command } = opened;
          const blocks = await openAll(opened);
          assert.ok(blocks.size >= 10, [...blocks].join());
          const where = `${width} ${locale}`;
          await atRest(state, ({ shown }) => checkTexts(shown, where));
          const paths = kinds((await state()).shown).filter((path) => !blocks.has(path));
          assert.ok(paths.length >= 20, paths.join());
          for (const path of paths) {
            await command({ type: "set", values: { inside: path, cell: "0,0" } });
            await microscopeShows(opened, `${path}:`);
          }
          await atRest(state, ({ shown, panels }) => {
            checkTexts(shown, where);
            checkControls(shown, panels, where);
          });
        }));
    }
  }

  test("arrow keys walk the tree, open and close it", () =>
    chromium.onPage({ query: "?panel=inside" }, async (opened) => {
      const { page } = opened;
      await mapIsThere(opened);
      const item = (name) => page.locator(`button[value="tree_${name}"]`);
      await item("source").focus();
      await page.keyboard.press("ArrowDown");
      assert.equal(await page.evaluate(() => document.activeElement.value), "tree_encoder.0");
      await page.keyboard.press("ArrowRight");
      await item("encoder.0.self_attn").waitFor({ state: "attached" });
      assert.equal(await item("encoder.0").getAttribute("aria-expanded"), "true");
      await page.keyboard.press("ArrowDown");
      assert.equal(await page.evaluate(() => document.activeElement.ariaLevel), "2");
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("ArrowLeft");
      await item("encoder.0.self_attn").waitFor({ state: "detached" });
      assert.equal(await page.getByRole("tree").count(), 1);
    }));

  test("a link opens a tensor and its cell", () =>
    chromium.onPage({ query: "?panel=inside&inside=decoder.0.cross_attn.head.1.weights&cell=3,2" }, async (opened) => {
      await microscopeShows(opened, "decoder.0.cross_attn.head.1.weights: 11 × 10");
      const { page, state } = opened;
      assert.match(page.url(), /inside=decoder\.0\.cross_attn\.head\.1\.weights/);
      assert.ok((await state()).shown.places["tree_decoder.0.cross_attn.head.1.weights"]);
    }));

  test("an embed shows the panel alone", () =>
    chromium.onPage({ width: 600, height: 700, query: "?embed&panel=inside" }, async (opened) => {
      await mapIsThere(opened);
      assert.equal((await opened.state()).shown.places.tab_inside, undefined);
    }));
});
