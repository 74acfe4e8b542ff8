// The page as people use it, in Chromium, under the strict policy.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fs from "node:fs";
import path from "node:path";

import { startChromium } from "./chromium.mjs";
import { decode, distance, worstCell } from "./expected.mjs";
import { atRest, checkTexts } from "./layout.mjs";
import { project, serve } from "./server.mjs";

let chromium;
before(async () => (chromium = await startChromium()));
after(() => chromium?.stop());

const picture = async (page) => decode(await page.screenshot());

// The panel whose every pixel is known beforehand.
const onPositions = ({ query = "", ...options }, test_) =>
  chromium.onPage({ ...options, query: `?panel=positions${query.replace("?", "&")}` }, test_);

describe("what is drawn", () => {
  for (const theme of ["dark", "light"]) {
    test(`the heatmap's pixels are its values (${theme})`, () =>
      onPositions({ theme }, async ({ page, state }) => {
        assert.equal((await state()).theme, theme);
        assert.ok(worstCell(await picture(page), await state()) <= 3);
      }));
  }

  for (const ratio of [1.5, 2, 3]) {
    test(`it is sharp at ${ratio} pixels per pixel`, () =>
      onPositions({ ratio, query: "?pe-positions=12&pe-d-model=8" }, async ({ page, state }) => {
        const now = await state();
        assert.equal(now.shown.ratio, ratio);
        const size = await page.evaluate(() => {
          const canvas = document.getElementById("canvas");
          return [canvas.width, canvas.height, canvas.clientWidth, canvas.clientHeight];
        });
        assert.deepEqual(size, [Math.round(size[2] * ratio), Math.round(size[3] * ratio), size[2], size[3]]);
        const image = await picture(page);
        assert.ok(worstCell(image, now, ratio) <= 3);
        // From one cell to the next within two pixels, the gap between them included.
        const map = now.shown.places.heatmap;
        const y = (map.y + map.height * (0.5 / 12)) * ratio;
        const edge = (map.x + map.width * (2 / 8)) * ratio;
        const inside = image.at(edge - 4 * ratio, y);
        assert.ok(distance(image.at(edge - 2 * ratio, y), inside) <= 3);
      }));
  }

  test("a wide heatmap, a short one and one cell's width keep their colours", () =>
    onPositions({}, async ({ page, state, command }) => {
      for (const [positions, dModel, base] of [
        [2, 2, 2],
        [256, 512, 10000],
        [17, 510, 1000000],
      ]) {
        await command({ type: "set", name: "pe_positions", value: positions });
        await command({ type: "set", name: "pe_d_model", value: dModel });
        const now = await command({ type: "set", name: "pe_base", value: base });
        assert.ok(worstCell(await picture(page), now) <= 3, `${positions} x ${dModel}`);
        assert.deepEqual((await state()).settings, now.settings);
      }
    }));

  test("every text is whole and apart from the others, at every size and in both languages", async () => {
    for (const [width, height] of [
      [1280, 800],
      [600, 800],
      [390, 844],
      [1000, 700],
      [1920, 1080],
      [320, 640],
    ]) {
      for (const locale of ["en-US", "ko-KR"]) {
        for (const textSize of width === 1280 ? ["100", "200"] : ["100"]) {
          const query = `?text-size=${textSize}`;
          await chromium.onPage({ width, height, locale, query }, async ({ command, state }) => {
            for (const panel of (await state()).panels) {
              await command({ type: "set", name: "panel", value: panel });
              const where = `${width}x${height} ${locale} ${textSize}% ${panel}`;
              await atRest(state, ({ shown }) => checkTexts(shown, where));
            }
          });
        }
      }
    }
  });

  test("nothing is drawn while nothing changes", () =>
    chromium.onPage({}, async ({ page, state }) => {
      await page.waitForTimeout(500);
      const before_ = (await state()).frames;
      await page.waitForTimeout(3000);
      assert.equal((await state()).frames, before_);
      await page.mouse.move(500, 300);
      await page.waitForTimeout(300);
      assert.ok((await state()).frames > before_);
    }));

  test("twenty lost contexts are survived", () =>
    onPositions({ allow: /WebGL|GL_|GroupMarker|CONTEXT_LOST/ }, async ({ page, state }) => {
      await page.evaluate(async () => {
        const canvas = document.getElementById("canvas");
        const lose = canvas.getContext("webgl2").getExtension("WEBGL_lose_context");
        for (let i = 0; i < 20; ++i) {
          const lost = new Promise((done) => canvas.addEventListener("webglcontextlost", done, { once: true }));
          lose.loseContext();
          await lost;
          await new Promise((done) => setTimeout(done, 20));
          const restored = new Promise((done) => canvas.addEventListener("webglcontextrestored", done, { once: true }));
          lose.restoreContext();
          await restored;
          await window.playground.command({ type: "set", name: "pe_position", value: i });
        }
      });
      assert.ok(worstCell(await picture(page), await state()) <= 3);
    }));

  test("the page follows the window and the system's theme", () =>
    onPositions({ theme: "light" }, async ({ page, state }) => {
      await page.setViewportSize({ width: 700, height: 900 });
      await page.waitForFunction(() => window.playground.state().shown.width === 700);
      await page.emulateMedia({ colorScheme: "dark" });
      await page.waitForFunction(() => window.playground.state().theme === "dark");
      await page.waitForTimeout(200);
      assert.ok(worstCell(await picture(page), await state()) <= 3);
    }));
});

describe("controls", () => {
  test("d_model in the DOM changes state and pixels", () =>
    onPositions({}, async ({ page, state }) => {
      const before_ = await picture(page);
      await page.getByLabel("d_model", { exact: true }).fill("32");
      await page.waitForFunction(() => window.playground.state().settings.pe_d_model === 32);
      await page.getByLabel("d_model", { exact: true }).blur();
      await page.waitForTimeout(200);
      const after_ = await picture(page);
      assert.ok(worstCell(after_, await state()) <= 3);
      const map = (await state()).shown.places.heatmap;
      assert.notDeepEqual(before_.at(map.x + 100, map.y + 60), after_.at(map.x + 100, map.y + 60));
    }));

  test("every setting has a labelled DOM control in the language shown", () =>
    onPositions({}, async ({ page, state, command }) => {
      const english = ["Text size", "Language", "Theme", "Number of positions", "d_model", "Base", "Position", "Dimension"];
      for (const label of [...english, "Dimensions as waves", "Your sentence"]) {
        assert.equal(await page.getByLabel(label, { exact: true }).count(), 1, label);
      }
      // The views are tabs; everything else is a form element.
      assert.equal(await page.locator("#controls [name]").count(), Object.keys((await state()).settings).length - 1);
      await page.getByRole("combobox", { name: "Language" }).selectOption("한국어");
      await page.waitForFunction(() => document.documentElement.lang === "ko");
      for (const label of ["글자 크기", "언어", "테마", "위치의 개수", "위치", "차원", "나의 문장"]) {
        assert.equal(await page.getByLabel(label, { exact: true }).count(), 1, label);
      }
      assert.equal(await page.getAttribute("html", "lang"), "ko");
      assert.equal(await page.title(), "트랜스포머 플레이그라운드");
      assert.ok((await state()).shown.texts.some((text) => text.text === "모든 위치의 인코딩"));
      await command({ type: "set", name: "language", value: "en" });
      assert.ok((await state()).shown.texts.some((text) => text.text === "Encoding of every position"));
      assert.equal(await page.title(), "Transformer Playground");
    }));

  for (const width of [600, 390]) {
    test(`the menu of a page ${width} wide is reached by name and keyboard, and Escape closes it`, () =>
      chromium.onPage({ width }, async ({ page, state }) => {
        const menu = page.getByRole("button", { name: "Menu", exact: true });
        await menu.focus();
        const box = await menu.boundingBox();
        assert.ok(box.x >= 0 && box.x + box.width <= width, "the twin is on the page");
        const open = async (wanted) => {
          await page.waitForFunction((is) => "theme" in window.playground.state().shown.places === is, wanted);
          assert.equal("pace" in (await state()).shown.places, wanted || width > 480);
        };
        await page.keyboard.press("Enter");
        await open(true);
        await page.keyboard.press("Escape");
        await open(false);
        await page.keyboard.press("Enter");
        await open(true);
        await page.getByRole("button", { name: "Keyboard shortcuts" }).focus();
        await page.keyboard.press("Enter");
        await page.waitForFunction(() => "close_keys" in window.playground.state().shown.places);
      }));
  }

  test("the tour is offered once, and goes by the arrow keys", () =>
    chromium.onPage({}, async ({ page, state }) => {
      const shows = (name, wanted) =>
        page.waitForFunction(([of, is]) => of in window.playground.state().shown.places === is, [name, wanted]);
      await page.getByRole("button", { name: "What am I seeing?" }).press("Enter");
      await shows("tour_card", true);
      await page.locator("#canvas").focus();
      await page.keyboard.press("ArrowRight");
      await page.waitForFunction(() => window.playground.state().shown.readouts.tour?.startsWith("2 / 7"));
      await page.keyboard.press("Escape");
      await shows("tour_card", false);
      await page.reload();
      await page.evaluate(() => window.playground.ready);
      assert.equal("tour_offer" in (await state()).shown.places, false);
    }));

  test("typing, Backspace and Tab work in a DOM field", () =>
    onPositions({}, async ({ page, state }) => {
      const field = page.getByLabel("Your sentence");
      await field.focus();
      await page.keyboard.type("I see yoo");
      await page.keyboard.press("Backspace");
      await page.keyboard.type("u");
      assert.equal(await field.inputValue(), "I see you");
      await page.waitForFunction(() => window.playground.state().settings.pe_sentence === "I see you");
      await page.keyboard.press("Shift+Tab");
      assert.equal(await page.evaluate(() => document.activeElement.name), "pe_dimension"); // as one reads
      await page.getByRole("button", { name: "Reset settings" }).press("Enter");
      await page.waitForFunction(() => window.playground.state().settings.pe_sentence === "");
      assert.equal((await state()).settings.pe_sentence, "");
    }));

  test("a focused DOM control lies over its twin and can be read", () =>
    onPositions({}, async ({ page, state }) => {
      await page.getByLabel("Base", { exact: true }).focus();
      const box = await page.locator(".control:focus-within").boundingBox();
      const twin = (await state()).shown.places.pe_base;
      assert.ok(Math.abs(box.x - twin.x) <= 1 && Math.abs(box.y - twin.y) <= 1);
      assert.ok(box.width >= 180 && box.height >= 40);
    }));

  test("the canvas controls work with the mouse", () =>
    onPositions({}, async ({ page, state }) => {
      const { places } = (await state()).shown;
      const slider = places.pe_position;
      await page.mouse.move(slider.x + 8, slider.y + slider.height - 14);
      await page.mouse.down();
      await page.mouse.move(slider.x + slider.width / 2, slider.y + slider.height - 14, { steps: 5 });
      await page.mouse.up();
      await page.waitForTimeout(200);
      assert.ok(Math.abs((await state()).settings.pe_position - 49) <= 2);

      const map = places.heatmap;
      await page.mouse.move(map.x + (20.5 / 128) * map.width, map.y + (30.5 / 100) * map.height);
      await page.waitForTimeout(200);
      assert.match((await state()).shown.readouts.cell, /^Position 30, dimension 20: .*PE\(30, 20\) = sin\(30 \/ 10,000\^\(20\/128\)\)/);
      assert.match(await page.locator('#readouts [data-name="cell"]').textContent(), /Position 30, dimension 20/);
      await page.mouse.down();
      await page.mouse.up();
      await page.waitForTimeout(200);
      const { pe_position: position, pe_dimension: dimension } = (await state()).settings;
      assert.deepEqual([position, dimension], [30, 20]);

      const theme = places.theme;
      await page.mouse.click(theme.x + theme.width / 2, theme.y + theme.height / 2);
      await page.waitForTimeout(200);
      const light = (await state()).shown.texts.find((text) => text.text === "Light");
      await page.mouse.click(light.x + 5, light.y + 5);
      await page.waitForTimeout(200);
      assert.equal((await state()).theme, "light");

      const sentence = places.pe_sentence;
      await page.mouse.click(sentence.x + 20, sentence.y + sentence.height / 2);
      assert.equal(await page.evaluate(() => document.activeElement.name), "pe_sentence");
    }));

  test("what does not fit gets a sentence and changes nothing", () =>
    onPositions({}, async ({ page, state, command }) => {
      const before_ = (await state()).settings;
      const field = page.getByLabel("d_model", { exact: true });
      await field.fill("7777");
      await field.press("Enter");
      await page.waitForFunction(() => document.querySelector(".control:focus-within .wrong")?.textContent);
      assert.match(await page.locator(".control:focus-within .wrong").textContent(), /^d_model: "7777" does not fit. Use 2 to 512/);
      assert.equal(await field.inputValue(), "128");
      for (const wrong of [null, 7, "x", [], {}, { type: "set" }, { type: "fly" }, { type: "set", name: "pe_base", value: [] }]) {
        await assert.rejects(command(wrong), /not understood/);
      }
      await assert.rejects(command({ type: "set", name: "theme", value: "pink" }), /system, dark, light/);
      await command({ type: "set", name: "language", value: "ko" });
      await assert.rejects(command({ type: "set", name: "pe_base", value: 1 }), /쓸 수 없습니다/);
      assert.deepEqual({ ...(await state()).settings, language: "en" }, before_);
    }));

  test("axe finds nothing wrong", () =>
    chromium.onPage({}, async ({ page }) => {
      await page.evaluate(fs.readFileSync(path.join(project, "tests/browser/node_modules/axe-core/axe.min.js"), "utf8"));
      const { violations } = await page.evaluate(() => window.axe.run());
      assert.deepEqual(violations.map((v) => [v.id, v.nodes.map((node) => node.html)]), []);
    }));
});

describe("the page around the canvas", () => {
  test("the wheel scrolls the page over the canvas", () =>
    onPositions({ width: 600, height: 800 }, async ({ page }) => {
      await page.mouse.move(300, 400);
      await page.mouse.wheel(0, 300);
      await page.waitForFunction(() => scrollY > 200);
    }));

  test("a finger scrolls the page, and drags where there is something to drag", () =>
    onPositions({ width: 390, height: 844, touch: true }, async ({ page, state }) => {
      const client = await page.context().newCDPSession(page);
      const touch = (type, ...points) =>
        client.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
      const swipe = async (x, y, dx, dy) => {
        await touch("touchStart", [x, y]);
        for (let i = 1; i <= 10; ++i) await touch("touchMove", [x + (dx * i) / 10, y + (dy * i) / 10]);
        await touch("touchEnd");
      };
      await swipe(200, 500, 0, -300);
      await page.waitForFunction(() => scrollY > 150);
      await page.waitForTimeout(1500); // the page glides on for a while
      await page.evaluate(() => scrollTo(0, 0));
      await page.waitForTimeout(300);
      const slider = (await state()).shown.places.pe_position;
      await swipe(slider.x + 40, slider.y + slider.height - 20, 200, -100);
      await page.waitForTimeout(300);
      assert.equal(await page.evaluate(() => scrollY), 0);
      assert.ok((await state()).settings.pe_position > 30);
    }));

  test("a tap on a cell does what hovering does, and stays", () =>
    onPositions({ width: 390, height: 844, touch: true }, async ({ page, state }) => {
      const map = (await state()).shown.places.heatmap;
      await page.touchscreen.tap(map.x + (64.5 / 128) * map.width, map.y + (50.5 / 100) * map.height);
      await page.waitForTimeout(400);
      assert.match((await state()).shown.readouts.cell, /^Position 50, dimension 64/);
      assert.equal((await state()).settings.pe_dimension, 64);
    }));

  test("the link holds what differs, and brings it back", () =>
    onPositions({}, async ({ page, state, command }) => {
      await command({ type: "set", name: "pe_d_model", value: 64 });
      await command({ type: "set", name: "pe_sentence", value: "나는 & you" });
      await page.waitForFunction(() => location.search.includes("pe-d-model=64"));
      await page.waitForTimeout(500);
      await page.reload();
      await page.evaluate(() => window.playground.ready);
      const { settings } = await state();
      assert.deepEqual([settings.pe_d_model, settings.pe_sentence], [64, "나는 & you"]);
      await command({ type: "reset_positions" });
      await page.waitForFunction(() => location.search === "?panel=positions");
    }));

  test("the link follows a change soon, also where other things never stop changing", () =>
    onPositions({}, async ({ page }) => {
      const written = await page.evaluate(async () => {
        const { connectMirror } = await import(new URL("web/mirror.js", location.href));
        const mirror = connectMirror({ focusCanvas: () => {} });
        const now = { controls: [], actions: [], readouts: [], notices: [], labels: {}, query: "seed=7" };
        for (let i = 0; i < 30; ++i) {
          mirror.update({ ...now, language: "en", theme: "dark", title: "title", story: `step ${i}` }, Infinity, () => {});
          await new Promise((done) => setTimeout(done, 50));
          if (location.search === "?seed=7") return true;
        }
        return false;
      });
      assert.ok(written, "the address was not written while the mirror was");
    }));

  test("a nonsense link gets sentences in the language shown, and the page works", () =>
    onPositions({ query: "?pe-d-model=banana&pe-base=-1&nothing=1&language=ko&utm_source=x" }, async ({ page, state }) => {
      const now = await state();
      assert.equal(now.language, "ko");
      assert.equal(now.notices.length, 3);
      for (const notice of now.notices) assert.match(notice, /[가-힣]/);
      assert.equal(now.settings.pe_d_model, 128);
      assert.ok((await page.locator("#notices").textContent()).includes("banana"));
      assert.ok(worstCell(await picture(page), now) <= 3);
      for (let left = 2; left >= 0; --left) {
        await page.getByRole("button", { name: "닫기" }).first().press("Enter");
        await page.waitForFunction(
          (n) =>
            window.playground.state().notices.length === n &&
            [...document.querySelectorAll("button")].filter(({ textContent }) => textContent === "닫기").length === n,
          left,
        );
      }
    }));

  test("it works below any path of a host", async () => {
    const server = await serve(project);
    try {
      await chromium.onPage({ hosts: [server.address] }, async ({ page }) => {
        await page.goto(`${server.address}dist/index.html`);
        await page.evaluate(() => window.playground.ready);
        assert.equal(await page.evaluate(() => window.playground.state().panel), "attention");
      });
    } finally {
      server.stop();
    }
  });

  for (const [what, script, sentence] of [
    ["WebAssembly", () => delete window.WebAssembly, /no WebAssembly/],
    ["SIMD", () => (window.WebAssembly.validate = () => false), /lacks SIMD/],
    ["WebGL 2", () => (HTMLCanvasElement.prototype.getContext = () => null), /no WebGL 2/],
  ]) {
    test(`a browser without ${what} gets a plain sentence`, () =>
      chromium.onPage({ notReady: true, before: script }, async ({ page }) => {
        await page.getByText(sentence).waitFor();
        await assert.rejects(page.evaluate(() => window.playground.ready), sentence);
      }));
  }

  test("a failed download is said, with a way to try again", () => {
    const route = (page) => page.route("**/playground.wasm", (handler) => handler.abort());
    return chromium.onPage({ notReady: true, allow: /playground.wasm|ERR_FAILED/, route }, async ({ page }) => {
      await page.getByText("could not be loaded").waitFor();
      await page.unroute("**/playground.wasm");
      await page.getByRole("button", { name: "Try again" }).click();
      await page.waitForFunction(() => window.playground?.ready.then(() => true));
    });
  });
});
