// The training step in jax-js, compiled with its `jit`.
//
// jax-js counts references: an array is consumed by the operation that it is given to, and `.ref` keeps it
// for one more. So wherever a value is used twice, all uses but the last say `.ref`.

import * as work from "./work.mjs";

// The loss of a batch of one-hot rows, [batch * length, vocabulary] each; `wanted` is smoothed.
function lossFunction({ numpy: np, nn }, { dModel, heads, length }) {
  const dHead = dModel / heads;
  const rows = work.batchSize;

  const applyLinear = (x, { weight, bias }) => np.matmul(x, weight).add(bias);
  const applyNorm = (x, { gamma, beta }) => {
    const mean = np.mean(x.ref, -1, { keepdims: true });
    const centred = x.sub(mean);
    const variance = np.mean(np.square(centred.ref), -1, { keepdims: true });
    return centred.div(np.sqrt(variance.add(1e-5))).mul(gamma).add(beta);
  };
  const splitHeads = (x, order) => x.reshape([rows, length, heads, dHead]).transpose(order);
  const applyAttention = (x, memory, mask, p) => {
    const query = splitHeads(applyLinear(x, p.query), [0, 2, 1, 3]);
    const keyTransposed = splitHeads(applyLinear(memory.ref, p.key), [0, 2, 3, 1]);
    const value = splitHeads(applyLinear(memory, p.value), [0, 2, 1, 3]);
    const scores = np.matmul(query, keyTransposed).mul(1 / Math.sqrt(dHead));
    const weights = nn.softmax(mask ? scores.add(mask) : scores, -1);
    const mixed = np.matmul(weights, value).transpose([0, 2, 1, 3]);
    return applyLinear(mixed.reshape([rows * length, dModel]), p.output);
  };
  const applyFeedForward = (x, { up, down }) => applyLinear(nn.relu(applyLinear(x, up)), down);
  const embed = (oneHot, table, positions) => {
    const scaled = np.matmul(oneHot, table).mul(Math.sqrt(dModel));
    return scaled.reshape([rows, length, dModel]).add(positions).reshape([rows * length, dModel]);
  };

  return (p, source, target, wanted, positions, causal) => {
    let x = embed(source, p.sourceEmbedding, positions.ref);
    for (const layer of p.encoder) {
      const y = applyNorm(x.ref, layer.norm1);
      x = x.add(applyAttention(y.ref, y, null, layer.self));
      x = x.ref.add(applyFeedForward(applyNorm(x, layer.norm2), layer.feedForward));
    }
    const memory = applyNorm(x, p.encoderNorm);

    x = embed(target, p.targetEmbedding, positions);
    for (const layer of p.decoder) {
      const y = applyNorm(x.ref, layer.norm1);
      x = x.add(applyAttention(y.ref, y, causal.ref, layer.self));
      x = x.ref.add(applyAttention(applyNorm(x, layer.norm2), memory.ref, null, layer.cross));
      x = x.ref.add(applyFeedForward(applyNorm(x, layer.norm3), layer.feedForward));
    }
    memory.dispose();
    causal.dispose();
    const logits = applyLinear(applyNorm(x, p.decoderNorm), p.generator);
    return wanted.mul(nn.logSoftmax(logits, -1)).sum().mul(-1 / (rows * length));
  };
}

// Gradients, clipped to norm 1, and Adam, in one compiled function. `rate` and `scale2` hold the corrections
// of Adam's moments, which change from step to step.
function compiledStep({ numpy: np, jit, valueAndGrad, tree }, loss) {
  const { beta1, beta2, epsilon } = work.adam;
  return jit((parameters, first, second, source, target, wanted, positions, causal, rate, scale2) => {
    const [value, gradients] = valueAndGrad(loss)(tree.ref(parameters), source, target, wanted, positions, causal);
    const squares = tree.leaves(gradients).map((gradient) => np.square(gradient.ref).sum());
    const norm = np.sqrt(squares.reduce((sum, square) => sum.add(square)));
    const scale = np.minimum(np.array(1), np.reciprocal(norm.add(1e-6)));
    const clipped = tree.map((gradient) => gradient.mul(scale.ref), gradients);
    scale.dispose();
    const newFirst = tree.map((m, g) => m.mul(beta1).add(g.ref.mul(1 - beta1)), first, clipped);
    const newSecond = tree.map((v, g) => v.mul(beta2).add(np.square(g).mul(1 - beta2)), second, clipped);
    const moved = tree.map(
      (p, m, v) => p.sub(m.ref.mul(rate.ref).div(np.sqrt(v.ref.mul(scale2.ref)).add(epsilon))),
      parameters,
      newFirst,
      newSecond,
    );
    rate.dispose();
    scale2.dispose();
    return [value, moved, newFirst, newSecond];
  });
}

function oneHotRows(ids) {
  const values = new Float32Array(ids.length * work.vocabulary);
  ids.forEach((id, row) => (values[row * work.vocabulary + id] = 1));
  return values;
}

export async function measureTraining(jax, { size: name, seconds }) {
  const { numpy: np, tree } = jax;
  const size = work.sizes[name];
  const { length, dModel } = size;
  const { rate, beta1, beta2 } = work.adam;

  let parameters = work.initialParameters(size, (values, shape) => np.array(values).reshape(shape));
  const count = tree.leaves(parameters).reduce((sum, array) => sum + array.size, 0);
  if (count !== size.parameters) throw new Error(`${count} parameters instead of ${size.parameters}`);
  let first = tree.map((array) => np.zeros(array.shape), parameters);
  let second = tree.map((array) => np.zeros(array.shape), parameters);
  const positions = np.array(work.positions(length, dModel)).reshape([1, length, dModel]);
  const causal = np.array(work.causalMask(length)).reshape([1, 1, length, length]);

  const random = work.generator(2);
  const matrix = (values) => np.array(values).reshape([work.batchSize * length, work.vocabulary]);
  const batches = Array.from({ length: 16 }, () => {
    const { source, target, labels } = work.fullBatch(length, random);
    const wanted = oneHotRows(labels).map((value) => value * (1 - work.smoothing) + work.smoothing / work.vocabulary);
    return [matrix(oneHotRows(source)), matrix(oneHotRows(target)), matrix(wanted)];
  });

  const compiled = compiledStep(jax, lossFunction(jax, size));
  let done = 0;
  const step = async () => {
    const [source, target, wanted] = batches[done % batches.length];
    ++done;
    const corrected = np.array(rate / (1 - beta1 ** done));
    const scale2 = np.array(1 / (1 - beta2 ** done));
    let loss;
    [loss, parameters, first, second] = compiled(
      parameters,
      first,
      second,
      source.ref,
      target.ref,
      wanted.ref,
      positions.ref,
      causal.ref,
      corrected,
      scale2,
    );
    return (await loss.data())[0];
  };
  const times = await work.timeSteps(step, seconds);
  return { ...times, loss: await step() };
}
