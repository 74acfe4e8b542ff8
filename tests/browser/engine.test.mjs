// The engine's own module: the same bits as natively, in a Worker and without one.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fs from "node:fs";
import path from "node:path";

import { startChromium } from "./chromium.mjs";
import { beginning, command, firstLook } from "./engine_messages.mjs";
import { nativeHash } from "./native.mjs";
import { dist, project, serve } from "./server.mjs";

const steps = 300;
const expected = fs.readFileSync(path.join(project, "tests/session/first_look_300.txt"), "utf8").trim();

let chromium;
before(async () => (chromium = await startChromium()));
after(() => chromium?.stop());

// Takes snapshots until the steps are done; the last one is the answer.
const start = [...command("start", { config: firstLook })];
const go = [...command("step", { id: 1, count: steps })];

// Runs the engine in the page's Worker, as the page does, and returns the beginning of the last snapshot.
async function lastSnapshot(page, first) {
  const bytes = await page.evaluate(
    async ([start_, go_, steps_]) => {
      const { connectEngine } = await import("/web/engine_link.js");
      return new Promise((resolve, reject) => {
        const engine = connectEngine({
          onFailure: (reason) => reject(new Error(reason)),
          onSnapshot(bytes_) {
            if (Number(new DataView(bytes_.buffer).getBigUint64(15, true)) < steps_) return;
            engine.close();
            resolve([...bytes_.subarray(0, 64)]);
          },
        });
        engine.send(Uint8Array.from(start_));
        engine.send(Uint8Array.from(go_));
      });
    },
    [first, go, steps],
  );
  return beginning(Uint8Array.from(bytes));
}

// Relaxed SIMD leaves it to the machine whether it rounds once; natively the machine has to be asked too.
test("in Chromium, a fused run gives the weights that it gives natively", { timeout: 120_000 }, async () => {
  const settings = JSON.parse(firstLook);
  Object.assign(settings.train, { arithmetic: "fused", steps });
  const native = nativeHash("--task", "reverse", "--preset", "first-look", "--steps", String(steps), "--arithmetic", "fused");
  assert.notEqual(native, expected);
  await chromium.onPage({ path: "/licences.txt", notReady: true, allow: /404/ }, async ({ page }) => {
    const { hash } = await lastSnapshot(page, [...command("start", { config: JSON.stringify(settings) })]);
    assert.equal(hash, native);
  });
});

test("where the page is cross-origin isolated, threads give the same weights", { timeout: 120_000 }, async () => {
  const server = await serve(dist, "--isolated");
  try {
    const options = { at: server.address, path: "/licences.txt", notReady: true, allow: /404/, hosts: [server.address] };
    await chromium.onPage(options, async ({ page, requests }) => {
      assert.equal(await page.evaluate(() => globalThis.crossOriginIsolated), true);
      assert.equal((await lastSnapshot(page, start)).hash, expected);
      if (await page.evaluate(() => navigator.hardwareConcurrency > 1)) {
        assert.ok(requests.some((url) => url.endsWith("/web/engine_threads.wasm")), requests.join("\n"));
      }
    });
    await chromium.onPage({ at: server.address, hosts: [server.address] }, async ({ page, command: tell }) => {
      await tell({ type: "play" });
      await page.waitForFunction(() => window.playground.state().step > 3);
    });
  } finally {
    server.stop();
  }
});

test("under node, 300 steps give the weights that they give natively", async () => {
  const { startEngine } = await import(path.join(dist, "web/engine_loop.js"));
  let engine;
  const done = new Promise((resolve, reject) => {
    startEngine({
      onFailure: reject,
      onSnapshot(bytes) {
        const now = beginning(new Uint8Array(bytes));
        engine.taken();
        if (now.step === steps) resolve(now);
      },
    }).then((started) => {
      engine = started;
      engine.receive(Uint8Array.from(start).buffer);
      engine.receive(Uint8Array.from(go).buffer);
    }, reject);
  });
  const { hash, state } = await done;
  engine.close();
  assert.equal(hash, expected);
  assert.equal(state, "paused");
});

// Where the page's Worker is as it should be, missing, or fails to load.
for (const workers of ["working", "missing", "failing"]) {
  const allow = /404|there-is-no-such-file/; // a text has no icon
  test(`in Chromium with Workers ${workers}, too`, () =>
    chromium.onPage({ path: "/licences.txt", notReady: true, allow }, async ({ page }) => {
      const seen = await page.evaluate(
        async ([given, start_, go_, steps_]) => {
          if (given === "missing") delete globalThis.Worker;
          if (given === "failing") {
            const Real = Worker;
            globalThis.Worker = function (_url, options) {
              return new Real("/web/there-is-no-such-file.js", options);
            };
          }
          const { connectEngine } = await import("/web/engine_link.js");
          const snapshots = [];
          const began = performance.now();
          await new Promise((resolve, reject) => {
            const engine = connectEngine({
              onFailure: (reason) => reject(new Error(reason)),
              onSnapshot(bytes) {
                snapshots.push([...bytes.subarray(0, 64)]);
                if (Number(new DataView(bytes.buffer).getBigUint64(15, true)) < steps_) return;
                engine.close();
                resolve();
              },
            });
            engine.send(Uint8Array.from(start_));
            engine.send(Uint8Array.from(go_));
          });
          return { snapshots, seconds: (performance.now() - began) / 1000 };
        },
        [workers, start, go, steps],
      );
      assert.equal(beginning(Uint8Array.from(seen.snapshots.at(-1))).hash, expected);
      assert.ok(seen.snapshots.length > 2);
      assert.ok(seen.snapshots.length / seen.seconds < 32, "at most thirty snapshots a second");
    }));
}
