// Where a number came from, and tensors by pattern, as a script on the page asks for them.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { startChromium } from "./chromium.mjs";
import { until } from "./until.mjs";

const weights = "decoder.0.cross_attn.head.1.weights";

let chromium;
before(async () => (chromium = await startChromium()));
after(() => chromium?.stop());

describe("explain", () => {
  test("a number of the example shown, with its terms and both derivatives, while it trains", () =>
    chromium.onPage({ query: "?pace=max" }, async (opened) => {
      const { page, command } = opened;
      await command({ type: "play" });
      await until(opened, (s) => s.step >= 20);
      const cell = await page.evaluate((path) => window.playground.explain(path, 2, 1), weights);
      assert.equal(cell.path, weights);
      assert.equal(cell.operation, "softmax");
      assert.ok(cell.step >= 20);
      assert.match(cell.equation, /^exp\(x - max\) \* \(1 \/ sum\(exp\(x - max\)\)\) = /);
      const exponentials = cell.terms.map(({ value }) => Math.exp(value - cell.constants.max));
      const sum = exponentials.reduce((a, b) => a + b);
      assert.ok(Math.abs(exponentials[1] / sum - cell.value) < 1e-6);
      assert.ok(Math.abs(cell.gradient - cell.finite_difference) < 1e-4 + 0.01 * Math.abs(cell.gradient));
      // Each term is a number that can be asked for; two questions at once are both answered.
      await command({ type: "pause" });
      const again = await page.evaluate(async (path) => {
        const explained = await window.playground.explain(path, 2, 1);
        const [first, second] = explained.terms;
        const answers = await Promise.all(
          [first, second].map((term) => window.playground.explain(term.path, term.row, term.column)),
        );
        return { wanted: [first.value, second.value], found: answers.map(({ value }) => value) };
      }, weights);
      assert.deepEqual(again.found, again.wanted);
    }));

  test("what is not there is refused with a sentence", () =>
    chromium.onPage({}, async ({ page }) => {
      const wrong = (path, row) =>
        page.evaluate(([p, r]) => window.playground.explain(p, r, 0).catch((error) => error.message), [path, row]);
      assert.match(await wrong("decoder.0.cross_attn.head.1.weight", 0), new RegExp(weights));
      assert.match(await wrong(weights, 1000), /rows 0 to \d+ and columns 0 to \d+/);
    }));

  test("tensors by pattern have axes, tokens and numbers", () =>
    chromium.onPage({}, async ({ page, command }) => {
      await command({ type: "pause" });
      const found = await page.evaluate(async () => {
        const list = await window.playground.tensors("decoder.0.cross_attn.head.?.weights");
        return list.map((tensor) => ({ ...tensor, typed: tensor.values instanceof Float32Array, values: [...tensor.values] }));
      });
      assert.ok(found.length > 1);
      for (const tensor of found) {
        assert.deepEqual(tensor.axes, ["target token", "source token"]);
        assert.equal(tensor.tokens.rows.length, tensor.rows);
        assert.equal(tensor.tokens.columns.length, tensor.columns);
        assert.ok(tensor.typed);
        const sum = tensor.values.slice(0, tensor.columns).reduce((a, b) => a + b);
        assert.ok(Math.abs(sum - 1) < 1e-5);
      }
      const none = await page.evaluate(() => window.playground.tensors("nothing.like.this"));
      assert.deepEqual(none, []);
    }));
});
