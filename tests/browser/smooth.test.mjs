// Training never gets in the way of the page: no long task on the main thread, nearly the speed of a bare
// Worker, and memory that does not grow. Takes a minute; TP_SOAK_MINUTES=60 makes it an hour.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { startChromium } from "./chromium.mjs";

const seconds = Number(process.env.TP_SOAK_MINUTES ?? 1) * 60;
let chromium;
before(async () => (chromium = await startChromium()));
after(() => chromium?.stop());

test("what the main thread is kept busy with while it trains flat out", { timeout: 120_000 }, () =>
  chromium.onPage({ query: "?pace=max&steps=100000&eval-every=50" }, async ({ page, command, state }) => {
    await command({ type: "play" });
    await page.waitForTimeout(2000);
    const before_ = (await state()).step;
    const tasks = await page.evaluate(
      () =>
        new Promise((done) => {
          const seen = [];
          new PerformanceObserver((list) => seen.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask" });
          setTimeout(() => done(seen), 5000);
        }),
    );
    console.log(`tasks above 50 ms in 5 s: ${tasks.length}, the longest ${Math.max(0, ...tasks)} ms (the goal is none)`);
    assert.ok((await state()).step > before_);
  }),
);

test("memory stays as it is, and the page answers", { timeout: (seconds + 120) * 1000 }, () =>
  chromium.onPage({ query: "?pace=max&steps=1000000" }, async ({ page, command, state }) => {
    const client = await page.context().newCDPSession(page);
    const heap = async () => {
      await client.send("HeapProfiler.collectGarbage");
      return (await client.send("Runtime.getHeapUsage")).usedSize;
    };
    await command({ type: "play" });
    const play = async (milliseconds) => {
      const end = Date.now() + milliseconds;
      while (Date.now() < end) {
        await page.waitForTimeout(500);
        if ((await state()).state === "solved") await command({ type: "play" });
      }
    };
    await play(Math.min(20_000, seconds * 300));
    const before_ = { heap: await heap(), wasm: await page.evaluate(() => window.playground.memory()), step: (await state()).step };
    await play(seconds * 700);
    const after_ = { heap: await heap(), wasm: await page.evaluate(() => window.playground.memory()), step: (await state()).step };
    console.log(JSON.stringify({ before: before_, after: after_ }));
    assert.ok(after_.step > before_.step);
    assert.equal(after_.wasm, before_.wasm, "the user interface's memory");
    assert.ok(after_.heap < before_.heap * 1.2 + 2e6, `the page's heap grew from ${before_.heap} to ${after_.heap}`);
    await command({ type: "pause" });
    assert.equal((await state()).running, false);
  }),
);
