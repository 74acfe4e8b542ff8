// What the engine is meant to reach, each with what a run says about it.

import { kindOf } from "./cases.mjs";

const faster = (name, ours, theirs, factor, what) => ({
  text: `${what}: ${ours} at least ${factor}x ${theirs}`,
  of: (results) => results.speed([name, ours], [name, theirs]),
  reached: ({ median }) => median >= factor,
});

const linear = (axis, contender, field = "ms") => ({
  text: `${field === "ms" ? "time" : "memory"} by ${axis}: exponent 0.9 to 1.1, ${contender}`,
  of: (results) => results.growth(axis, contender, field),
  reached: ({ median }) => median >= 0.9 && median <= 1.1,
  unit: "",
});

// The least of all kernels: each has to reach it.
const kernels = (contender, share) => ({
  text: `every product at its shapes: ${contender} at least ${100 * share}% of the peak`,
  of: (results) => {
    const shares = results.cases.filter((name) => kindOf(name) === "kernel").map((name) => results.shareOfPeak(name, contender));
    return shares.filter(Boolean).sort((a, b) => a.median - b.median)[0] ?? null;
  },
  reached: ({ median }) => median >= share,
  unit: "%",
});

// The least of all kernels beside the same product by another.
const products = (ours, theirs, factor) => ({
  text: `every product at its shapes: ${ours} at least ${factor}x ${theirs}`,
  of: (results) => {
    const ratios = results.cases.filter((name) => kindOf(name) === "kernel").map((name) => results.speed([name, ours], [name, theirs]));
    return ratios.filter(Boolean).sort((a, b) => a.median - b.median)[0] ?? null;
  },
  reached: ({ median }) => median >= factor,
});

const sooner = (theirs, factor) => ({
  text: `reverse to 99%: playground at least ${factor}x sooner than ${theirs}`,
  of: (results) => results.sooner("playground", theirs),
  reached: ({ median }) => median >= factor,
});

const goals = [
  faster("tiny", "chromium-exact", "jax-js", 2.8, "Tiny"),
  faster("tiny", "chromium-exact", "tfjs-tuned", 4.5, "Tiny"),
  faster("tiny", "chromium-exact", "tfjs-plain", 11, "Tiny"),
  faster("tiny", "chromium-exact", "pytorch", 0.85, "Tiny"),
  faster("small", "chromium-exact", "jax-js", 1.7, "Small"),
  faster("small", "chromium-exact", "pytorch", 0.45, "Small"),
  faster("tiny", "chromium-fused", "pytorch", 1, "Tiny"),
  faster("small", "chromium-fused", "jax-js", 2, "Small"),
  faster("small", "chromium-fused", "pytorch", 0.55, "Small"),
  faster("tiny", "native-fused", "pytorch", 2.5, "Tiny"),
  faster("small", "native-fused", "pytorch", 1.6, "Small"),
  faster("small", "native-fused-2", "native-fused", 1.7, "Small, two threads"),
  faster("small", "chromium-exact-2", "chromium-exact", 1.7, "Small, two threads"),
  faster("decode", "chromium-exact", "pytorch", 8, "decoding"),
  kernels("chromium-exact", 0.85),
  products("chromium-exact", "eigen-chromium", 1.2),
  {
    text: "the whole Tiny step: chromium-exact at least 70% of the peak",
    of: (results) => results.shareOfPeak("tiny", "chromium-exact"),
    reached: ({ median }) => median >= 0.7,
    unit: "%",
  },
  {
    text: "lengths 1 to 16: chromium-exact at least 1.6x the same batch padded",
    of: (results) => results.speed(["lengths-1-16", "chromium-exact"], ["padded-16", "chromium-exact"]),
    reached: ({ median }) => median >= 1.6,
  },
  linear("batch", "chromium-exact"),
  linear("depth", "chromium-exact"),
  linear("batch", "chromium-exact", "bytes"),
  sooner("tfjs-tuned", 5),
  sooner("pytorch", 1),
];

// Those that this run says something about: { text, got, reached, unit }.
export function judgedGoals(results) {
  return goals
    .map(({ text, of, reached, unit = "x" }) => ({ text, unit, got: of(results), reached }))
    .filter(({ got }) => got)
    .map((goal) => ({ ...goal, reached: goal.reached(goal.got) }));
}
