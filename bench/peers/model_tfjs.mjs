// The training step in TensorFlow.js, in two ways. Plain is how most people write it. Tuned avoids what its
// wasm backend is slow at: a product with a transposed operand takes a scalar path there, so transposes are
// done beforehand, in the backward pass, too.
//
// Both look embeddings up with a one-hot product: the backend cannot differentiate `gather`.

import * as work from "./work.mjs";

// `tf` with its backend set. Every activation is [batch * length, dModel].
function buildModel(tf, size, { tuned, longest = size.length }) {
  const { dModel, heads } = size;
  const dHead = dModel / heads;
  const variables = [];

  const variable = (values, shape) => {
    const made = tf.variable(tf.tensor(values, shape));
    variables.push(made);
    return made;
  };
  const all = work.initialParameters(size, variable);

  const parameters = variables.reduce((sum, { size: count }) => sum + count, 0);
  if (parameters !== size.parameters) throw new Error(`${parameters} parameters instead of ${size.parameters}`);

  const allPositions = tf.tensor(work.positions(longest, dModel), [1, longest, dModel]);
  const fullCausal = tf.tensor(work.causalMask(longest), [1, 1, longest, longest]);

  const swapLast = (x) => {
    const order = Array.from({ length: x.rank }, (_, axis) => axis);
    return tf.transpose(x, [...order.slice(0, -2), x.rank - 1, x.rank - 2]);
  };
  const tunedProduct = tf.customGrad((a, b, save) => {
    save([a, b]);
    const gradFunc = (dy, [keptA, keptB]) => [tf.matMul(dy, swapLast(keptB)), tf.matMul(swapLast(keptA), dy)];
    return { value: tf.matMul(a, b), gradFunc };
  });
  const product = tuned ? tunedProduct : (a, b) => tf.matMul(a, b);
  const productTransposed = tuned ? (a, b) => tunedProduct(a, swapLast(b)) : (a, b) => tf.matMul(a, b, false, true);

  const applyLinear = (x, { weight, bias }) => tf.add(product(x, weight), bias);
  const applyNorm = (x, { gamma, beta }) => {
    const centred = tf.sub(x, tf.mean(x, -1, true));
    const variance = tf.mean(tf.square(centred), -1, true);
    return tf.add(tf.mul(tf.mul(centred, tf.rsqrt(tf.add(variance, 1e-5))), gamma), beta);
  };
  // [rows * length, dModel] -> [rows, heads, length, dHead]
  const splitHeads = (x, rows) => tf.transpose(tf.reshape(x, [rows, -1, heads, dHead]), [0, 2, 1, 3]);
  const applyAttention = (x, memory, rows, mask, p) => {
    const query = splitHeads(applyLinear(x, p.query), rows);
    const key = splitHeads(applyLinear(memory, p.key), rows);
    const value = splitHeads(applyLinear(memory, p.value), rows);
    const scores = tf.mul(productTransposed(query, key), 1 / Math.sqrt(dHead));
    const weights = tf.softmax(mask ? tf.add(scores, mask) : scores);
    const mixed = tf.transpose(product(weights, value), [0, 2, 1, 3]);
    return applyLinear(tf.reshape(mixed, [-1, dModel]), p.output);
  };
  const applyFeedForward = (x, { up, down }) => applyLinear(tf.relu(applyLinear(x, up)), down);
  const embed = (tokens, table) => {
    const [rows, length] = tokens.shape;
    const oneHot = tf.cast(tf.oneHot(tf.reshape(tokens, [-1]), work.vocabulary), "float32");
    const scaled = tf.mul(tf.reshape(product(oneHot, table), [rows, length, dModel]), Math.sqrt(dModel));
    const here = length === longest ? allPositions : tf.slice(allPositions, [0, 0, 0], [1, length, dModel]);
    return tf.reshape(tf.add(scaled, here), [-1, dModel]);
  };

  // `mask` is added to the scores of padded source tokens; [rows, 1, 1, length], or nothing.
  function encode(source, mask) {
    const rows = source.shape[0];
    let x = embed(source, all.sourceEmbedding);
    for (const layer of all.encoder) {
      const y = applyNorm(x, layer.norm1);
      x = tf.add(x, applyAttention(y, y, rows, mask, layer.self));
      x = tf.add(x, applyFeedForward(applyNorm(x, layer.norm2), layer.feedForward));
    }
    return applyNorm(x, all.encoderNorm);
  }

  // Logits, [rows * length, vocabulary].
  function decode(target, memory, mask) {
    const [rows, length] = target.shape;
    const causal = length === longest ? fullCausal : tf.slice(fullCausal, [0, 0, 0, 0], [1, 1, length, length]);
    let x = embed(target, all.targetEmbedding);
    for (const layer of all.decoder) {
      const y = applyNorm(x, layer.norm1);
      x = tf.add(x, applyAttention(y, y, rows, causal, layer.self));
      x = tf.add(x, applyAttention(applyNorm(x, layer.norm2), memory, rows, mask, layer.cross));
      x = tf.add(x, applyFeedForward(applyNorm(x, layer.norm3), layer.feedForward));
    }
    return applyLinear(applyNorm(x, all.decoderNorm), all.generator);
  }

  return { variables, encode, decode };
}

// A step of training: gradients of `lossOf`, clipped to norm 1, and Adam. Returns the loss.
function trainingStep(tf, variables, optimiser, lossOf) {
  return tf.tidy(() => {
    const { value, grads } = tf.variableGrads(lossOf, variables);
    const norm = tf.sqrt(tf.addN(Object.values(grads).map((gradient) => tf.sum(tf.square(gradient)))));
    const scale = tf.minimum(1, tf.div(1, tf.add(norm, 1e-6)));
    const clipped = Object.entries(grads).map(([name, gradient]) => [name, tf.mul(gradient, scale)]);
    optimiser.applyGradients(Object.fromEntries(clipped));
    return value;
  });
}

const adamOf = (tf, rate) => tf.train.adam(rate, work.adam.beta1, work.adam.beta2, work.adam.epsilon);

// One loss for each token, [tokens].
function surprises(tf, logits, labels, smoothing) {
  const oneHot = tf.oneHot(tf.reshape(labels, [-1]), work.vocabulary);
  const wanted = smoothing ? tf.add(tf.mul(oneHot, 1 - smoothing), smoothing / work.vocabulary) : tf.cast(oneHot, "float32");
  return tf.neg(tf.sum(tf.mul(wanted, tf.logSoftmax(logits)), -1));
}

export async function measureTraining(tf, { size: name, tuned, seconds }) {
  const size = work.sizes[name];
  const model = buildModel(tf, size, { tuned });
  const optimiser = adamOf(tf, work.adam.rate);
  const random = work.generator(2);
  const batches = Array.from({ length: 16 }, () => {
    const { source, target, labels } = work.fullBatch(size.length, random);
    return [source, target, labels].map((ids) => tf.tensor(ids, [work.batchSize, size.length], "int32"));
  });
  let next = 0;
  const step = async () => {
    const [source, target, labels] = batches[next++ % batches.length];
    const lossOf = () => tf.mean(surprises(tf, model.decode(target, model.encode(source)), labels, work.smoothing));
    const loss = trainingStep(tf, model.variables, optimiser, lossOf);
    const [value] = await loss.data();
    loss.dispose();
    return value;
  };
  const times = await work.timeSteps(step, seconds);
  return { ...times, loss: await step() };
}

// Greedy decoding, one sequence. Everything written so far is read again for each token: TensorFlow.js has
// no cache to decode with, and in most programs nobody writes one.
export async function measureDecoding(tf, { tuned, seconds }) {
  const size = work.sizes.tiny;
  const model = buildModel(tf, size, { tuned });
  const { source: ids } = work.fullBatch(size.length, work.generator(2));
  const source = tf.tensor(ids.slice(0, size.length), [1, size.length], "int32");
  const write = async () => {
    const memory = tf.tidy(() => model.encode(source));
    const tokens = [work.begin];
    while (tokens.length <= size.length) {
      const best = tf.tidy(() => {
        const logits = model.decode(tf.tensor(tokens, [1, tokens.length], "int32"), memory);
        return tf.argMax(tf.slice(logits, [tokens.length - 1, 0], [1, work.vocabulary]), -1);
      });
      tokens.push((await best.data())[0]);
      best.dispose();
    }
    memory.dispose();
  };
  const times = await work.timeSteps(write, seconds);
  return { ms: times.ms / size.length, min: times.min / size.length, steps: times.steps * size.length };
}

// Trains `reverse` with the playground's recipe until enough held-out answers are exact. The clock runs
// from the first step on, and includes evaluation.
export async function learn(tf, { limit, progress = () => {} }) {
  const { recipe } = work;
  const model = buildModel(tf, work.sizes.tiny, { tuned: true, longest: recipe.longest + 1 });
  const optimiser = adamOf(tf, recipe.rate);
  const random = work.generator(3);
  const { drawn, keys } = work.heldOut(random);

  const tensorsOf = (batch) => {
    const { rows } = batch;
    return {
      source: tf.tensor(batch.source, [rows, recipe.longest], "int32"),
      target: tf.tensor(batch.target, [rows, recipe.longest + 1], "int32"),
      labels: tf.tensor(batch.labels, [rows, recipe.longest + 1], "int32"),
      mask: tf.tensor(batch.sourceMask, [rows, 1, 1, recipe.longest]),
      counts: tf.tensor(batch.counts),
    };
  };
  const logitsOf = ({ source, target, mask }) => model.decode(target, model.encode(source, mask), mask);
  // Where each token is the best after the true ones before it, greedy decoding writes the same.
  const exactShare = async () => {
    let exact = 0;
    for (let first = 0; first < drawn.length; first += recipe.batch) {
      const batch = work.paddedBatch(drawn.slice(first, first + recipe.batch));
      const guesses = tf.tidy(() => tf.argMax(logitsOf(tensorsOf(batch)), -1));
      exact += work.exactRows(await guesses.data(), batch);
      guesses.dispose();
    }
    return exact / drawn.length;
  };

  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  let exact = 0;
  for (let step = 1; step <= recipe.steps; ++step) {
    const batch = tensorsOf(work.paddedBatch(work.examples(recipe.batch, 1, random, keys)));
    optimiser.learningRate = work.rateOfStep(step);
    const loss = trainingStep(tf, model.variables, optimiser, () => {
      const all = surprises(tf, logitsOf(batch), batch.labels, 0);
      return tf.div(tf.sum(tf.mul(all, batch.counts)), tf.sum(batch.counts));
    });
    await loss.data();
    tf.dispose([loss, batch]);
    if (step % recipe.evaluateEvery === 0) {
      exact = await exactShare();
      progress(`step ${step}: ${(100 * exact).toFixed(1)}% exact after ${elapsed().toFixed(0)} s`);
      if (exact >= recipe.enough) return { reached: true, seconds: elapsed(), steps: step, exact };
    }
    if (elapsed() > limit) return { reached: false, seconds: elapsed(), steps: step, exact };
  }
  return { reached: false, seconds: elapsed(), steps: recipe.steps, exact };
}
