// What scripts ask of the numbers of the run: each question is sent to the engine, and its answer is
// looked for whenever the engine has told something.

export function connectQueries({ program, withText, text, wake, ready }) {
  let open = []; // { look, resolve }

  // What `look` gives, once that is not empty.
  function answered(look) {
    return new Promise((resolve) => {
      open.push({ look, resolve });
      snapshotArrived();
      wake();
    });
  }

  function snapshotArrived() {
    open = open.filter(({ look, resolve }) => {
      const found = look();
      if (found) resolve(found);
      return !found;
    });
  }

  // Where the number in this cell of the example shown came from.
  async function explain(path, row = 0, column = 0) {
    await ready();
    for (;;) {
      const id = withText(path, (p) => program()._tp_ask_explanation(p, row, column));
      const found = await answered(() => text(program()._tp_explanation(id)));
      const { id: of, problem, ...explanation } = JSON.parse(found);
      if (of !== id) continue; // something else was asked for meanwhile
      if (problem) throw new Error(problem);
      return explanation;
    }
  }

  // The tensors of the example shown, and the parameters, whose paths fit.
  async function tensors(pattern) {
    await ready();
    const id = withText(pattern, (p) => program()._tp_ask_tensors(p));
    const found = await answered(() => withText(pattern, (p) => text(program()._tp_tensors(p, id))));
    return JSON.parse(found).map((tensor) => ({ ...tensor, values: Float32Array.from(tensor.values, (x) => x ?? -Infinity) }));
  }

  return { explain, tensors, snapshotArrived };
}
