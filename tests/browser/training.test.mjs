// The playground as people use it: press Play, watch, change, go back. Through the DOM mirror, by
// role and name, in both languages.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";

import { startChromium } from "./chromium.mjs";
import { decode } from "./expected.mjs";
import { nativeHash, train } from "./native.mjs";
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

const words = {
  en: {
    locale: "en-US",
    play: "Play",
    pause: "Pause",
    step: "Step",
    reset: "Reset",
    seed: "New seed",
    speed: "Speed",
    rate: "Learning rate",
    heads: "Heads",
    restart: "Restart",
    waits: "applies on restart",
    task: "Task",
    sort: "Sort",
    solved: /Solved in \d+ steps/,
    next: ["Take positions away", "One head only", "Twice as long"],
    expect: "Learns as well",
    tabs: ["Curves", "Attention", "Positions", "Try it", "Setup"],
    input: "Your input",
  },
  ko: {
    locale: "ko-KR",
    play: "재생",
    pause: "일시정지",
    step: "한 스텝",
    reset: "처음부터",
    seed: "새 시드",
    speed: "속도",
    rate: "학습률",
    heads: "헤드",
    restart: "다시 시작",
    waits: "다시 시작하면 적용",
    task: "과제",
    sort: "정렬",
    solved: /\d+스텝 만에 완료/,
    next: ["위치 인코딩 빼기", "헤드 하나만", "두 배 길게"],
    expect: "똑같이 배움",
    tabs: ["곡선", "어텐션", "위치", "직접 해 보기", "설정"],
    input: "나의 입력",
  },
};

for (const [language, w] of Object.entries(words)) {
  describe(`a visit in ${language}`, () => {
    test("it plays to the end by itself and offers what is next", () =>
      chromium.onPage({ plays: true, locale: w.locale }, async (opened) => {
        const { page } = opened;
        await until(opened, (s) => s.running && s.step > 0);
        await page.getByLabel(w.speed, { exact: true }).selectOption("max");
        const solved = await until(opened, (s) => s.state === "solved");
        assert.ok(solved.metrics.heldout_exact >= 0.99);
        assert.ok(solved.metrics.alignment >= 0.9, `alignment ${solved.metrics.alignment}`);
        assert.match(await page.locator("#story").textContent(), w.solved);
        for (const name of w.next) await page.getByRole("button", { name }).waitFor({ state: "attached" });
        for (const name of w.tabs) assert.equal(await page.getByRole("tab", { name, exact: true }).count(), 1, name);
        await page.getByRole("button", { name: w.next[1] }).press("Enter");
        await page.getByRole("button", { name: w.expect, exact: true }).press("Enter");
        await until(opened, (s) => s.settings.heads === 1 && s.run > solved.run && s.running && s.step > 0);
      }));

    test("pause, step, reset and new seed", () =>
      chromium.onPage({ locale: w.locale }, async (opened) => {
        const { page, state } = opened;
        const button = (name) => page.getByRole("button", { name, exact: true });
        assert.equal((await state()).running, false, "it waits where less motion is wanted");
        await button(w.play).press("Enter");
        await until(opened, (s) => s.running && s.step >= 3);
        await button(w.pause).press("Enter");
        const paused = await until(opened, (s) => !s.running);
        await button(w.step).press("Enter");
        const stepped = await until(opened, (s) => s.step === (paused.step + 1));
        assert.notEqual(stepped.weights_hash, paused.weights_hash);
        await button(w.reset).press("Enter");
        const fresh = await until(opened, (s) => s.step === 0);
        for (let i = 1; i <= stepped.step; ++i) {
          await button(w.step).press("Enter");
          await until(opened, (s) => s.step === (i));
        }
        assert.equal((await state()).weights_hash, stepped.weights_hash, "the same seed, the same bits");
        await button(w.seed).press("Enter");
        const other = await until(opened, (s) => s.step === 0);
        assert.notEqual(other.weights_hash, fresh.weights_hash);
        assert.equal(other.settings.seed, fresh.settings.seed + 1);
      }));

    test("what can change live does, and what cannot waits for a restart", () =>
      chromium.onPage({ locale: w.locale, query: "?pace=max&panel=setup" }, async (opened) => {
        const { page, state } = opened;
        await page.getByRole("button", { name: w.play, exact: true }).press("Enter");
        const before_ = await until(opened, (s) => s.step >= 5);
        await page.getByLabel(w.rate, { exact: true }).fill("0.0005");
        await page.getByLabel(w.rate, { exact: true }).blur();
        const after_ = await until(opened, (s) => s.step > (before_.step) + 20 && s.metrics.learning_rate <= 0.0005);
        assert.equal(after_.run, before_.run, "the run goes on");
        assert.deepEqual(after_.waiting, []);
        await page.getByLabel(w.heads, { exact: true }).fill("4");
        await page.getByLabel(w.heads, { exact: true }).blur();
        await until(opened, (s) => s.waiting.includes("heads"));
        assert.ok((await state()).shown.texts.some(({ text }) => text === w.waits));
        await page.getByRole("button", { name: w.restart, exact: true }).press("Enter");
        const restarted = await until(opened, (s) => s.run > (before_.run) && s.waiting.length === 0);
        assert.equal(restarted.settings.heads, 4);
        await page.getByLabel(w.task, { exact: true }).selectOption(w.sort);
        const sorts = await until(opened, (s) => s.task === "sort");
        assert.equal(sorts.preset, "default", "first-look is for one task alone");
      }));
  });
}

describe("the time machine", () => {
  test("a moment of the past comes back bit for bit, and Play from there is a branch", () =>
    chromium.onPage({ query: "?pace=max" }, async (opened) => {
      const { page, command, state } = opened;
      await command({ type: "play" });
      await until(opened, (s) => s.step >= 60);
      await command({ type: "pause" });
      const newest = await until(opened, (s) => !s.running);
      const at50 = newest.kept.find(({ step }) => step === 50);
      assert.ok(at50, "a still's step is kept");
      const past = await command({ type: "rewind", branch: 0, step: 50 });
      assert.equal(past.step, 50);
      assert.notEqual(past.weights_hash, newest.weights_hash);
      const samples = await page.locator('#readouts [data-name="samples"]').textContent();
      await command({ type: "set", name: "learning_rate", value: 0.004 });
      for (let i = 0; i < 2; ++i) await command({ type: "step" });
      const forked = await until(opened, (s) => s.step === 52);
      assert.equal(forked.branches.length, 2);
      assert.deepEqual([forked.branches[1].parent, forked.branches[1].first_step], [0, 50]);
      const back = await command({ type: "rewind", branch: 0, step: newest.step });
      assert.deepEqual([back.step, back.weights_hash], [newest.step, newest.weights_hash]);
      assert.ok(samples.length > 20);
      assert.ok((await state()).history_bytes > 0);
    }));

  test("dragging along the loss curve moves everything, also while it trains", () =>
    chromium.onPage({ query: "?pace=max&panel=curves" }, async (opened) => {
      const { page, command, state } = opened;
      await command({ type: "play" });
      const running = await until(opened, (s) => s.step >= 60);
      const curve = running.shown.places.loss_curve ?? running.shown.places.curves;
      const line = { y: curve.y + curve.height * 0.3, left: curve.x + curve.width * 0.2, right: curve.x + curve.width * 0.7 };
      await page.mouse.move(line.right, line.y);
      await page.mouse.down();
      for (let x = line.right; x >= line.left; x -= 20) await page.mouse.move(x, line.y);
      await page.mouse.up();
      const past = await until(opened, (s) => !s.running && s.step < running.step);
      assert.ok(past.step > 0, `step ${past.step}`);
      const hash = past.weights_hash;
      await page.getByRole("button", { name: "Play", exact: true }).press("Enter");
      const forked = await until(opened, (s) => s.running && s.step > past.step);
      assert.equal(forked.branches.length, 2);
      await command({ type: "pause" });
      assert.notEqual((await state()).weights_hash, hash);
    }));
});

describe("the curves", () => {
  // Where the loss is drawn: between the numbers at the left and the names at the right.
  const lossPlot = ({ shown }) => {
    const caption = shown.texts.find(({ text }) => text === "Loss");
    const { curves } = shown.places;
    return { x: curves.x + curves.width * 0.4, y: caption.y + caption.height + 70 };
  };
  const zoomed = (page) => page.getByRole("button", { name: "Whole run" }).isEnabled();
  const becomesZoomed = async (page, wanted) => {
    for (let i = 0; i < 100 && (await zoomed(page)) !== wanted; ++i) await page.waitForTimeout(50);
    assert.equal(await zoomed(page), wanted);
  };
  const trained = async (opened) => {
    await opened.command({ type: "play" });
    await until(opened, (s) => s.step >= 60);
    await opened.command({ type: "pause" });
    return opened.state();
  };

  test("zoom by wheel, keyboard and command, and by wheel with Ctrl where the page scrolls", () =>
    chromium.onPage({ query: "?pace=max&panel=curves" }, async (opened) => {
      const { page, command } = opened;
      const plot = lossPlot(await trained(opened));
      assert.equal(await zoomed(page), false);
      await page.mouse.move(plot.x, plot.y);
      for (let i = 0; i < 4; ++i) await page.mouse.wheel(0, -100);
      await becomesZoomed(page, true);
      await page.getByRole("button", { name: "Whole run" }).press("Enter");
      await becomesZoomed(page, false);
      await command({ type: "zoom_curves", factor: 2 });
      assert.equal(await zoomed(page), true);
      await command({ type: "zoom_curves", factor: 0 });
      assert.equal(await zoomed(page), false);

      await page.setViewportSize({ width: 600, height: 600 });
      await page.waitForTimeout(500);
      await page.evaluate(() => scrollTo(0, 0));
      const narrow = lossPlot(await opened.state());
      await page.mouse.move(narrow.x, narrow.y);
      await page.mouse.wheel(0, 100);
      await page.waitForFunction(() => scrollY > 50);
      assert.equal(await zoomed(page), false, "there it is the page's");
      await page.evaluate(() => scrollTo(0, 0));
      await page.keyboard.down("Control");
      for (let i = 0; i < 4; ++i) await page.mouse.wheel(0, -100);
      await page.keyboard.up("Control");
      await becomesZoomed(page, true);
    }));

  test("a finger on the loss goes back in time, beside it it scrolls", () =>
    chromium.onPage({ query: "?pace=max&panel=curves", width: 390, height: 844, touch: true }, async (opened) => {
      const { page } = opened;
      const before_ = await trained(opened);
      const client = await page.context().newCDPSession(page);
      const touch = (type, ...points) =>
        client.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
      const { x, y } = lossPlot(before_);
      await touch("touchStart", [x, y]);
      for (let i = 1; i <= 10; ++i) await touch("touchMove", [x - 6 * i, y - 2 * i]);
      await touch("touchEnd");
      await until(opened, (s) => s.step < before_.step);
      assert.equal(await page.evaluate(() => scrollY), 0);
      const { curves } = before_.shown.places;
      await touch("touchStart", [curves.x + 8, y + 200]);
      for (let i = 1; i <= 10; ++i) await touch("touchMove", [curves.x + 8, y + 200 - 20 * i]);
      await touch("touchEnd");
      await page.waitForFunction(() => scrollY > 50);
    }));

  test("an idle page draws nothing", () =>
    chromium.onPage({ query: "?pace=max&panel=curves" }, async (opened) => {
      const { page } = opened;
      const plot = lossPlot(await trained(opened));
      await page.mouse.move(plot.x, plot.y);
      await page.waitForTimeout(1000);
      const drawn = (await opened.state()).frames;
      await page.waitForTimeout(1000);
      assert.equal((await opened.state()).frames, drawn);
    }));
});

describe("positions", () => {
  test("learned ones move as they are learned, and can be saved as a picture", () =>
    chromium.onPage({ query: "?pace=max&panel=positions&positions=learned" }, async (opened) => {
      const { page, command } = opened;
      const cell = () => page.locator('#readouts [data-name="cell"]').textContent();
      await until(opened, () => true);
      const before_ = await cell();
      assert.match(before_, /after 0 steps/);
      await command({ type: "play" });
      await until(opened, (s) => s.step >= 20);
      await command({ type: "pause" });
      const after_ = await cell();
      assert.match(after_, /a weight of the model, after [1-9]/);
      assert.notEqual(after_.match(/: (.*)\. a weight/)[1], before_.match(/: (.*)\. a weight/)[1]);
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "PNG" }).first().press("Enter");
      const file = path.join(folder, "positions.png");
      await (await download).saveAs(file);
      assert.ok(decode(fs.readFileSync(file)).width > 300);
    }));
});

describe("the same bits as the command line", () => {
  test("300 steps in the page hash as `tp train` does", () =>
    chromium.onPage({ query: "?pace=max&steps=300" }, async (opened) => {
      const native = nativeHash("--task", "reverse", "--preset", "first-look", "--steps", "300");
      await opened.command({ type: "play" });
      await until(opened, (s) => s.step >= 300 || s.state === "solved");
      await opened.command({ type: "play" });
      const done = await until(opened, (s) => s.step >= 300);
      assert.equal(done.step, 300);
      assert.equal(done.weights_hash, native);
    }));
});

describe("try it", () => {
  test("hello is shorter than what is trained: a sentence says so, and a button trains for it", () =>
    chromium.onPage({ query: "?panel=try" }, async (opened) => {
      const { page, command } = opened;
      await command({ type: "try", text: "hello" });
      await until(opened, (s) => /fewer than it is trained for, always 10/.test(s.shown.readouts.try_untrained));
      await command({ type: "point", map: "answer", row: 0 });
      await until(opened, (s) => s.shown.readouts.try_chances.includes("%"));
      await page.getByRole("button", { name: "Train again for it" }).press("Enter");
      await until(opened, (s) => s.run === 2 && s.running && s.settings.min_length === 5);
      await until(opened, (s) => s.settings.try_input === "hello" && !s.shown.readouts.try_untrained);
      await command({ type: "set", name: "task", value: "sort" });
      await until(opened, (s) => s.task === "sort" && s.settings.try_input === "");
    }));

  test("Korean typed into a trained translation gives the right English", async () => {
    const out = path.join(folder, "translate");
    train(out, "--task", "translate", "--steps", "900");
    await chromium.onPage({ locale: "ko-KR", query: "?panel=try" }, async (opened) => {
      const { page } = opened;
      await page.locator("#file").setInputFiles(path.join(out, "model.safetensors"));
      await until(opened, (s) => s.task === "translate");
      const field = page.getByLabel(words.ko.input, { exact: true });
      for (const [korean, english] of [
        ["나는 학교에 간다", "I go to school"],
        ["고양이가 쥐를 잡았다", "the cat caught the mouse"],
        ["쥐가 고양이를 잡았다", "the mouse caught the cat"],
      ]) {
        await field.fill(korean);
        await page.waitForFunction(
          (wanted) => document.querySelector('#readouts [data-name="try_output"]')?.textContent.includes(wanted),
          english,
        );
      }
      await field.fill("나는 달에 간다");
      const problem = page.locator('#readouts [data-name="try_problem"]');
      await problem.waitFor({ state: "attached" });
      assert.match(await problem.textContent(), /[가-힣]/);
      await field.blur();
      await page.getByRole("button", { name: "학교", exact: true }).first().press("Enter");
      await until(opened, (s) => s.settings.try_input === "나는 학교에 간다");
    });
  });
});

describe("what goes wrong", () => {
  test("a learning rate of 1000 stops the run with a sentence, and the page lives", () =>
    chromium.onPage({ query: "?pace=max" }, async (opened) => {
      const { page, command } = opened;
      await command({ type: "step" });
      await page.getByLabel("Learning rate", { exact: true }).fill("1000");
      await page.getByLabel("Learning rate", { exact: true }).blur();
      await command({ type: "play" });
      const failed = await until(opened, (s) => s.state === "failed" || s.step > 200);
      assert.equal(failed.state, "failed");
      assert.match(failed.error, /not a finite number|learning rate is too high/);
      await command({ type: "set", name: "learning_rate", value: 0.002 });
      const again = await command({ type: "reset" });
      assert.equal(again.step, 0);
      await command({ type: "play" });
      await until(opened, (s) => s.step >= 5);
    }));

  test("a model that is too large is refused before it starts, and the run stays", () =>
    chromium.onPage({ query: "?panel=setup" }, async (opened) => {
      const { page, command, state } = opened;
      await command({ type: "step" });
      const before_ = await until(opened, (s) => s.step === 1);
      await command({ type: "set", name: "positions", value: "rotary" });
      await command({ type: "set", name: "d_model", value: 4096 });
      await command({ type: "reset" }).catch(() => {});
      await page.waitForTimeout(500);
      const now = await state();
      assert.equal(now.step, 1);
      assert.equal(now.weights_hash, before_.weights_hash);
      assert.ok(now.error, "a sentence says why");
      assert.deepEqual(now.waiting, ["d_model", "positions"], "what was edited stays");
    }));

  test("a page without Workers trains, too", () =>
    chromium.onPage({ query: "?pace=max", before: () => delete window.Worker }, async (opened) => {
      await opened.command({ type: "play" });
      await until(opened, (s) => s.step >= 20);
    }));
});

describe("nobody looks", () => {
  test("a hidden page draws nothing and rests, unless asked to go on", () =>
    chromium.onPage({ query: "?pace=max" }, async (opened) => {
      const { page, command, state } = opened;
      const hide = (hidden) =>
        page.evaluate((value) => {
          Object.defineProperty(document, "hidden", { value, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }, hidden);
      await command({ type: "play" });
      await until(opened, (s) => s.step >= 5);
      await hide(true);
      await page.waitForTimeout(500);
      const resting = await state();
      assert.equal(resting.running, false);
      await page.waitForTimeout(600);
      const later = await state();
      assert.deepEqual([later.step, later.frames], [resting.step, resting.frames]);
      await hide(false);
      await until(opened, (s) => s.running && s.step > (later.step));
      await command({ type: "set", name: "keep_training", value: true });
      await hide(true);
      const hidden = await state();
      await page.waitForTimeout(1500);
      assert.ok((await state()).step > hidden.step);
      assert.equal((await state()).frames, hidden.frames);
    }));
});

describe("embedded", () => {
  test("it works in an article on another host", async () => {
    const article = http.createServer((request, response) => {
      response.setHeader("content-type", "text/html");
      response.end(`<!doctype html><title>article</title><p>text</p>
        <iframe src="${chromium.address}/?embed&panel=attention" width="600" height="700"></iframe>`);
    });
    article.listen(0, "127.0.0.1");
    await once(article, "listening");
    const host = `http://localhost:${article.address().port}`;
    try {
      await chromium.onPage({ at: host, hosts: [host], notReady: true, allow: /favicon|404/, plays: true }, async ({ page }) => {
        const frame = page.frames().find((each) => each !== page.mainFrame()) ?? (await page.waitForEvent("frameattached"));
        await frame.waitForFunction(() => window.playground?.ready);
        await frame.evaluate(() => window.playground.ready);
        await frame.getByRole("button", { name: "Play", exact: true }).press("Enter");
        await frame.waitForFunction(() => window.playground.state().step > 2);
      });
    } finally {
      article.close();
    }
  });

  test("the article in examples/ shows three of them that live", () =>
    chromium.onPage({ path: "examples/embed.html", notReady: true, height: 1000 }, async ({ page }) => {
      const places = page.locator("iframe");
      assert.equal(await places.count(), 3);
      for (let i = 0; i < 3; ++i) {
        await places.nth(i).scrollIntoViewIfNeeded(); // they are loaded when they come into view
        const frame = await (await places.nth(i).elementHandle()).contentFrame();
        await frame.waitForFunction(() => window.playground?.ready.then(() => true));
        assert.equal(await frame.evaluate(() => window.playground.state().error), null);
        await frame.evaluate(() => window.playground.command({ type: "step" }));
        await frame.waitForFunction(() => window.playground.state().step === 1);
      }
      // The page itself needs no frames, and its policy allows none.
      const policy = (address) => page.evaluate(async (at) => (await fetch(at)).headers.get("content-security-policy"), address);
      assert.match(await policy("embed.html"), /frame-src 'self'/);
      assert.doesNotMatch(await policy("../index.html"), /frame-src/);
    }));

  for (const width of [1280, 360]) {
    test(`no frame of the article scrolls inside, ${width} wide`, () =>
      chromium.onPage({ path: "examples/embed.html", notReady: true, width, height: 1000 }, async ({ page }) => {
        const places = page.locator("iframe");
        for (let i = 0; i < 3; ++i) {
          await places.nth(i).scrollIntoViewIfNeeded();
          const frame = await (await places.nth(i).elementHandle()).contentFrame();
          await frame.waitForFunction(() => window.playground?.ready.then(() => true));
          await frame.waitForFunction(() => {
            const { scrollHeight, clientHeight } = document.documentElement;
            const { wanted_height: wanted } = window.playground.state().shown;
            return scrollHeight <= clientHeight && wanted > 0 && clientHeight >= wanted && clientHeight < wanted + 120;
          });
        }
      }));
  }

  test("?embed leaves the panel and the play bar, and waits for Play", () =>
    chromium.onPage({ plays: true, width: 600, height: 600, query: "?embed&panel=attention" }, async (opened) => {
      const { page, state } = opened;
      const now = await state();
      assert.deepEqual([now.running, now.step], [false, 0]);
      assert.ok(!now.shown.texts.some(({ text }) => text === "Transformer Playground" || text === "Curves"));
      await page.getByRole("button", { name: "Play", exact: true }).press("Enter");
      await until(opened, (s) => s.running && s.step > 2);
    }));
});
