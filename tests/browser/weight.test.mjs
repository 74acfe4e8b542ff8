// What a visitor downloads, and when: sizes after brotli, fonts only when somebody needs them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import fs from "node:fs";
import path from "node:path";

import { startChromium } from "./chromium.mjs";
import { decode } from "./expected.mjs";
import { dist } from "./server.mjs";

let chromium;
before(async () => (chromium = await startChromium()));
after(() => chromium?.stop());

const file = (url) => path.join(dist, new URL(url).pathname === "/" ? "index.html" : new URL(url).pathname);
const weight = (urls) => [...new Set(urls.map(file))].reduce((sum, name) => sum + brotliCompressSync(fs.readFileSync(name)).length, 0);
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;

test("the first English screen weighs at most 550 KB, engine and fonts included", () =>
  chromium.onPage({}, async ({ requests }) => {
    const total = weight(requests);
    console.log(`first English screen: ${kilobytes(total)} after brotli`);
    assert.ok(total <= 550_000, kilobytes(total));
    assert.ok(!requests.some((url) => url.includes("hangul")), "no Korean font for an English page");
    assert.ok(!requests.some((url) => url.includes("textbook")), "the textbook comes with lessons only");
  }));

test("the textbook for lessons weighs at most 60 KB", () => {
  const bytes = brotliCompressSync(fs.readFileSync(path.join(dist, "web/textbook.wasm"))).length;
  console.log(`textbook.wasm: ${kilobytes(bytes)} after brotli`);
  assert.ok(bytes <= 60_000, kilobytes(bytes));
});

test("the Korean interface font weighs at most 170 KB and comes when Korean is shown", () =>
  chromium.onPage({}, async ({ requests, command }) => {
    const before_ = requests.length;
    await command({ type: "set", name: "language", value: "ko" });
    const added = requests.slice(before_).filter((url) => !url.endsWith("icon.svg")); // for the tab, when the browser likes
    assert.deepEqual(added.map((url) => path.basename(url)).sort(), ["hangul.ttf", "korean.txt"]);
    console.log(`Korean adds ${kilobytes(weight(added))} after brotli`);
    assert.ok(weight(added) <= 170_000);
  }));

// The ink in the place of a text: how many pixels differ from its corner.
function ink(image, rect) {
  const background = image.at(rect.x, rect.y).join();
  let pixels = "";
  for (let y = Math.floor(rect.y); y < rect.y + rect.height; ++y) {
    for (let x = Math.floor(rect.x); x < rect.x + rect.width; ++x) {
      pixels += image.at(x, y).join() === background ? "0" : "1";
    }
  }
  return pixels;
}

test("rare syllables are drawn, with the large font only where the small one lacks them", () =>
  chromium.onPage({ query: "?panel=positions" }, async ({ page, requests, state, command }) => {
    const drawn = async (sentence) => {
      await command({ type: "set", name: "pe_sentence", value: sentence });
      const word = (await state()).shown.texts.find((text) => text.text === sentence);
      assert.ok(word, `${sentence} is drawn as itself`);
      return ink(decode(await page.screenshot()), word);
    };
    const shapes = [await drawn("뷁")];
    assert.ok(requests.some((url) => url.endsWith("/hangul.ttf")));
    assert.ok(!requests.some((url) => url.endsWith("/hangul-all.ttf")), "뷁 is in the small font");
    shapes.push(await drawn("갂"));
    assert.ok(requests.some((url) => url.endsWith("/hangul-all.ttf")), "갂 is only in the large font");
    shapes.push(await drawn("갃"), await drawn("힣"), await drawn("가"));
    for (const shape of shapes) assert.ok([...shape].filter((c) => c === "1").length > 30);
    assert.equal(new Set(shapes).size, shapes.length, "five syllables, five shapes");
  }));

test("while a font loads there is a dot and no empty box, and the old language stays", async () => {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  const route = (page) =>
    page.route("**/hangul.ttf", async (handler) => {
      await held;
      await handler.continue();
    });
  await chromium.onPage({ route }, async ({ page, state }) => {
    await page.evaluate(() => void window.playground.command({ type: "set", name: "language", value: "ko" }));
    await page.waitForTimeout(500);
    let now = await state();
    assert.equal(now.language, "en");
    assert.ok(now.shown.texts.some((text) => text.text.startsWith("Loading the Korean font")));
    assert.ok(!now.shown.texts.some((text) => /[가-힣]/.test(text.text) && text.text !== "한국어"));
    release();
    await page.waitForFunction(() => window.playground.state().language === "ko");
    now = await state();
    // A word that cannot be drawn is a row of dots; one dot between two words is a dot.
    assert.deepEqual(now.shown.texts.map((text) => text.text).filter((text) => /··|^·$/.test(text)), []);
  });
});

for (const lost of ["hangul.ttf", "korean.txt"]) test(`${lost} that cannot be loaded is said, and the page goes on in English`, () =>
  chromium.onPage(
    { allow: /hangul|korean|Failed to load resource/, route: (page) => page.route(`**/${lost}`, (route) => route.abort()) },
    async ({ page, state }) => {
      await page.getByRole("combobox", { name: "Language" }).selectOption("ko");
      await page.waitForFunction(() => window.playground.state().notices.length === 1);
      const now = await state();
      assert.deepEqual([now.language, now.settings.language], ["en", "en"]);
      assert.match(now.notices[0], /Korean font could not be loaded/);
      await page.unroute(`**/${lost}`);
      await page.getByRole("combobox", { name: "Language" }).selectOption("ko");
      await page.waitForFunction(() => window.playground.state().language === "ko");
    },
  ));

test("the licences of what is bundled are in the site", () => {
  const text = fs.readFileSync(path.join(dist, "licences.txt"), "utf8");
  for (const name of ["Dear ImGui", "ImPlot", "JSON for Modern C++", "Noto Sans", "JetBrains Mono", "Nanum", "Omar Cornut"]) {
    assert.ok(text.includes(name), name);
  }
});

test("the site names only files of its own, relatively", () => {
  const page = fs.readFileSync(path.join(dist, "index.html"), "utf8");
  const names = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map((match) => match[1]);
  assert.ok(names.length > 4);
  for (const name of names) {
    assert.doesNotMatch(name, /^(\/|[a-z]+:)/);
    assert.ok(fs.existsSync(path.join(dist, name)), name);
  }
});
