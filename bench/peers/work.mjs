// The work that every JavaScript peer does, and how it is timed: one training step of an encoder-decoder
// that learns to write a row of symbols backwards. Nothing here depends on a framework.

export const sizes = {
  tiny: { dModel: 64, heads: 4, dFf: 256, layers: 2, length: 16, parameters: 239_904 },
  small: { dModel: 128, heads: 8, dFf: 512, layers: 4, length: 32, parameters: 1_864_224 },
};

export const vocabulary = 32;
export const batchSize = 32;
export const smoothing = 0.1;
export const adam = { rate: 1e-3, beta1: 0.9, beta2: 0.98, epsilon: 1e-9 };

// What the playground learns `reverse` with when nothing is changed (engine/train/recipes.cpp).
export const recipe = {
  longest: 16,
  batch: 64,
  steps: 1500,
  warmup: 100,
  rate: 2e-3,
  lowest: 0.05, // of the rate, at the end of the cosine
  evaluateEvery: 250,
  heldOut: 500,
  enough: 0.99,
};

export const [pad, begin, end] = [0, 1, 2];
const marks = 3;

// As engine/train/schedule.cpp has it; steps count from 1.
export function rateOfStep(step) {
  const { rate, warmup, steps, lowest } = recipe;
  if (step <= warmup) return (rate * step) / warmup;
  const progress = Math.min((step - warmup) / (steps - warmup), 1);
  return rate * (lowest + (1 - lowest) * 0.5 * (1 + Math.cos(Math.PI * progress)));
}

export function xavier(inputs, outputs) {
  return Math.sqrt(6 / (inputs + outputs));
}

export function countOf(shape) {
  return shape.reduce((product, extent) => product * extent, 1);
}

export function uniformValues(shape, bound, random) {
  return Float32Array.from({ length: countOf(shape) }, () => (2 * random() - 1) * bound);
}

export function normalValues(shape, deviation, random) {
  const draw = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Float32Array.from({ length: countOf(shape) }, () => deviation * draw());
}

// The same numbers in every run (mulberry32).
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Sinusoidal positions, [length, dModel].
export function positions(length, dModel) {
  const values = new Float32Array(length * dModel);
  for (let position = 0; position < length; ++position) {
    for (let i = 0; i < dModel; i += 2) {
      const angle = position / 10_000 ** (i / dModel);
      values[position * dModel + i] = Math.sin(angle);
      values[position * dModel + i + 1] = Math.cos(angle);
    }
  }
  return values;
}

// What is added to the scores so that a token sees none after it, [length, length].
export function causalMask(length) {
  const values = new Float32Array(length * length);
  for (let query = 0; query < length; ++query) values.fill(-1e9, query * length + query + 1, (query + 1) * length);
  return values;
}

function symbols(length, random) {
  return Array.from({ length }, () => marks + Math.floor(random() * (vocabulary - marks)));
}

// A batch whose sequences all have the full length, for the races: [batch, length] each, row by row.
export function fullBatch(length, random) {
  const [source, target, labels] = Array.from({ length: 3 }, () => new Int32Array(batchSize * length));
  for (let row = 0; row < batchSize; ++row) {
    const letters = symbols(length, random);
    const answer = letters.toReversed();
    source.set(letters, row * length);
    labels.set(answer, row * length);
    target.set([begin, ...answer.slice(0, -1)], row * length);
  }
  return { source, target, labels };
}

// Sequences of `shortest` to recipe.longest symbols that are not in `without`, for learning.
export function examples(count, shortest, random, without = new Set()) {
  const drawn = [];
  while (drawn.length < count) {
    const letters = symbols(shortest + Math.floor(random() * (recipe.longest - shortest + 1)), random);
    if (!without.has(letters.join())) drawn.push(letters);
  }
  return drawn;
}

// The held-out examples have at least 3 symbols, as the playground's: of shorter ones there are too few.
export function heldOut(random) {
  const drawn = examples(recipe.heldOut, 3, random);
  return { drawn, keys: new Set(drawn.map((letters) => letters.join())) };
}

// Padded: sources to recipe.longest, targets to one more, for the end mark.
export function paddedBatch(drawn) {
  const width = recipe.longest;
  const source = new Int32Array(drawn.length * width).fill(pad);
  const target = new Int32Array(drawn.length * (width + 1)).fill(pad);
  const labels = new Int32Array(drawn.length * (width + 1)).fill(pad);
  const sourceMask = new Float32Array(drawn.length * width).fill(-1e9); // added to the scores
  const counts = new Float32Array(drawn.length * (width + 1)); // 1 where there is a label
  drawn.forEach((letters, row) => {
    const answer = letters.toReversed();
    source.set(letters, row * width);
    sourceMask.fill(0, row * width, row * width + letters.length);
    target.set([begin, ...answer], row * (width + 1));
    labels.set([...answer, end], row * (width + 1));
    counts.fill(1, row * (width + 1), row * (width + 1) + letters.length + 1);
  });
  return { rows: drawn.length, source, target, labels, sourceMask, counts };
}

// How many rows of guesses are right from beginning to end.
export function exactRows(guesses, { rows, labels, counts }) {
  const width = labels.length / rows;
  let exact = 0;
  for (let row = 0; row < rows; ++row) {
    let right = true;
    for (let i = row * width; i < (row + 1) * width; ++i) right &&= counts[i] === 0 || guesses[i] === labels[i];
    exact += right;
  }
  return exact;
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// Runs `step` for some seconds, and at least three times, after a warm-up. A step has ended when its
// result was read.
export async function timeSteps(step, seconds) {
  const warmUp = performance.now() + Math.min(500, seconds * 1000);
  for (let i = 0; i < 2 || performance.now() < warmUp; ++i) await step();
  const times = [];
  const stop = performance.now() + seconds * 1000;
  while (times.length < 3 || performance.now() < stop) {
    const started = performance.now();
    await step();
    times.push(performance.now() - started);
  }
  return { ms: median(times), min: Math.min(...times), steps: times.length };
}

// The parameters of a model as a tree of what `make(values, shape)` makes of them.
export function initialParameters({ dModel, dFf, layers }, make) {
  const random = generator(1);
  const constant = (value, count) => make(new Float32Array(count).fill(value), [count]);
  const linear = (inputs, outputs, bound = xavier(inputs, outputs)) => ({
    weight: make(uniformValues([inputs, outputs], bound, random), [inputs, outputs]),
    bias: constant(0, outputs),
  });
  const norm = () => ({ gamma: constant(1, dModel), beta: constant(0, dModel) });
  const attention = () => {
    const bound = xavier(dModel, 3 * dModel); // the three count as one matrix
    const [query, key, value] = [0, 1, 2].map(() => linear(dModel, dModel, bound));
    return { query, key, value, output: linear(dModel, dModel) };
  };
  const feedForward = () => ({ up: linear(dModel, dFf), down: linear(dFf, dModel) });
  const embedding = () => make(normalValues([vocabulary, dModel], dModel ** -0.5, random), [vocabulary, dModel]);
  const layersOf = (layer) => Array.from({ length: layers }, layer);
  return {
    sourceEmbedding: embedding(),
    targetEmbedding: embedding(),
    encoder: layersOf(() => ({ norm1: norm(), norm2: norm(), self: attention(), feedForward: feedForward() })),
    decoder: layersOf(() => ({
      norm1: norm(),
      norm2: norm(),
      norm3: norm(),
      self: attention(),
      cross: attention(),
      feedForward: feedForward(),
    })),
    encoderNorm: norm(),
    decoderNorm: norm(),
    generator: linear(dModel, vocabulary),
  };
}
