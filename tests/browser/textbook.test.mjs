// textbook.wasm through web/textbook.js: its numbers against plain ones, its gradients against differences.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import fs from "node:fs";
import path from "node:path";

import { openTextbook } from "../../web/textbook.js";
import { dist } from "./server.mjs";

const module = fs.readFileSync(path.join(dist, "web/textbook.wasm"));
let book;
before(async () => (book = await openTextbook(module)));

let seed = 1;
const random = () => ((seed = (seed * 16807) % 2147483647) / 2147483647) * 2 - 1;
const matrix = (rows, columns) => Array.from({ length: rows }, () => Array.from({ length: columns }, random));
const near = (a, b, what) => assert.ok(Math.abs(a - b) <= 1e-9 * (1 + Math.abs(b)), `${what}: ${a} and ${b}`);
function same(a, b, what) {
  assert.deepEqual([a.length, a[0].length], [b.length, b[0].length], what);
  a.forEach((row, i) => row.forEach((x, j) => near(x, b[i][j], `${what}[${i}, ${j}]`)));
}
const times = (a, b) => a.map((row) => b[0].map((_, j) => row.reduce((sum, x, k) => sum + x * b[k][j], 0)));
const transposed = (a) => a[0].map((_, j) => a.map((row) => row[j]));
const sum = (row) => row.reduce((a, b) => a + b, 0);
const softmax = (a) => a.map((row) => row.map((x) => Math.exp(x) / sum(row.map(Math.exp))));

test("products, transposes and softmax are what plain loops say", () => {
  const [a, b] = [matrix(3, 4), matrix(4, 2)];
  same(book.product({ a, b }).y, times(a, b), "product");
  same(book.transpose({ x: a }).y, transposed(a), "transpose");
  near(book.dot({ a: [1, 2, 3], b: [4, 5, 6] }).y[0][0], 32, "dot");
  same(book.softmax({ x: a }).y, softmax(a), "softmax");
  same(book.softmaxWithoutMaximum({ x: a }).y, softmax(a), "softmax");
  near(book.softmax({ x: [1000, 1000] }).y[0][0], 0.5, "softmax of large numbers");
  assert.ok(Number.isNaN(book.softmaxWithoutMaximum({ x: [1000, 1000] }).y[0][0]), "which overflow without the maximum");
});

test("attention, step by step", () => {
  const [query, key, value] = [matrix(3, 4), matrix(3, 4), matrix(3, 2)];
  const all = book.attention({ query, key, value });
  same(all.raw_scores, times(query, transposed(key)), "raw_scores");
  same(all.scores, all.raw_scores.map((row) => row.map((x) => x / 2)), "scores");
  same(all.weights, softmax(all.scores), "weights");
  same(all.context, times(all.weights, value), "context");
  const causal = book.attention({ query, key, value, causal: 1 });
  assert.deepEqual([causal.scores[0][1], causal.weights[0][1], causal.weights[0][0]], [-Infinity, 0, 1]);
  const halves = book.splitHeads({ x: query, heads: 2 });
  assert.deepEqual(halves["head.1"], query.map((row) => row.slice(2)));
});

test("positions, schedule, Adam and clipping", () => {
  const { y } = book.positions({ length: 3, d_model: 4 });
  near(y[2][0], Math.sin(2), "PE(2, 0)");
  near(y[2][3], Math.cos(2 / 100), "PE(2, 3)");
  near(book.alibi({ length: 3, heads: 2 })["head.0"][0][2], -2 / 16, "ALiBi");
  const { rates } = book.schedule({ d_model: 512, warmup: 4000, steps: 5000 });
  assert.equal(rates[0].indexOf(Math.max(...rates[0])), 3999);
  near(rates[0][0], 512 ** -0.5 * 4000 ** -1.5, "the first rate");
  const { w, m, v } = book.adam({ gradient: 2, m: 0, v: 0, w: 1, rate: 0.5, beta1: 0.9, beta2: 0.98 });
  near(w[0][0], 0.5, "the first step of Adam is as long as the rate");
  near(m[0][0], 0.2, "m");
  near(v[0][0], 0.08, "v");
  assert.deepEqual(book.clip({ gradient: [3, 4], most: 1 }).norm, [[5]]);
  same(book.clip({ gradient: [3, 4], most: 1 }).clipped, [[0.6, 0.8]], "clipped");
});

test("cross-entropy", () => {
  const logits = matrix(2, 3);
  const { losses } = book.crossEntropy({ logits, labels: [2, -1] });
  near(losses[0][0], -Math.log(softmax(logits)[0][2]), "loss");
  assert.equal(losses[1][0], 0, "a label that does not count");
});

// Every gradient against the difference quotient of a random mixture of the output.
const differentiable = {
  product: ["y", { a: [3, 4], b: [4, 2] }],
  dot: ["y", { a: [1, 4], b: [1, 4] }],
  transpose: ["y", { x: [2, 3] }],
  softmax: ["y", { x: [2, 3] }],
  softmaxWithoutMaximum: ["y", { x: [2, 3] }],
  crossEntropy: ["losses", { logits: [2, 4] }, { labels: [3, 0], smoothing: 0.1 }],
  squaredError: ["loss", { x: [2, 3] }, { target: matrix(2, 3) }],
  attention: ["context", { query: [3, 4], key: [3, 4], value: [3, 2] }, { causal: 1 }],
  multiHeadAttention: [
    "output",
    { x: [3, 4], in_proj_weight: [12, 4], in_proj_bias: [1, 12], "out_proj.weight": [4, 4], "out_proj.bias": [1, 4] },
    { heads: 2 },
  ],
  splitHeads: ["head.0", { x: [2, 3] }, { heads: 1 }],
  rotary: ["y", { x: [3, 4] }],
  layerNorm: ["output", { x: [2, 4], weight: [1, 4], bias: [1, 4] }],
  rmsNorm: ["output", { x: [2, 4], weight: [1, 4] }],
  feedForward: [
    "output",
    { x: [2, 3], "linear1.weight": [5, 3], "linear1.bias": [1, 5], "linear2.weight": [3, 5], "linear2.bias": [1, 3] },
    { gelu: 1 },
  ],
};
for (const [name, [output, shapes, others = {}]] of Object.entries(differentiable)) {
  test(`the gradient of ${name}`, () => {
    const inputs = Object.fromEntries(Object.entries(shapes).map(([key, shape]) => [key, matrix(...shape)]));
    const y = book[name]({ ...inputs, ...others })[output];
    const isLoss = output.startsWith("loss");
    const mixture = y.map((row) => row.map(() => (isLoss ? 1 : random())));
    const mixed = (given) => sum(book[name]({ ...given, ...others })[output].map((row, i) => sum(row.map((x, j) => x * mixture[i][j]))));
    const from = isLoss ? {} : { [output === "context" ? "d_context" : "d_y"]: mixture };
    const gradients = book[name].gradient({ ...inputs, ...others, ...from });
    for (const [key, value] of Object.entries(inputs)) {
      value.forEach((row, i) =>
        row.forEach((_, j) => {
          const step = 1e-5;
          const moved = (by) => mixed({ ...inputs, [key]: value.map((r, k) => r.map((x, l) => (k === i && l === j ? x + by : x))) });
          const quotient = (moved(step) - moved(-step)) / (2 * step);
          assert.ok(Math.abs(gradients[`d_${key}`][i][j] - quotient) < 1e-7, `d_${key}[${i}, ${j}]`);
        }),
      );
    }
  });
}

test("what does not fit is said", () => {
  assert.throws(() => book.product({ a: [[1, 2]], b: [[1, 2]] }), /product: the shape of b does not fit/);
  assert.throws(() => book.product({ a: [[1, 2]] }), /b is missing/);
  assert.throws(() => book.splitHeads({ x: [1, 2, 3], heads: 2 }), /equal heads/);
  assert.throws(() => book.crossEntropy({ logits: [1, 2], labels: 5 }), /not one of the columns/);
  assert.throws(() => book.schedule.gradient({ steps: 3 }), /no gradient/);
  assert.throws(() => book.softmax({ x: [[1, 2], [3]] }), /differ in length/);
});
