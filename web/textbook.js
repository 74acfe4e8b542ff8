// The textbook (engine/textbook) for figures in lessons: each operation is a function from named matrices to named
// matrices. A matrix is an array of rows; a row alone, or a number, will do where there is only one.
//
//   const book = await openTextbook();
//   const { raw_scores, scores, weights, context } = book.attention({ query, key, value, causal: true });
//   const { d_query } = book.attention.gradient({ query, key, value, d_context }); // and all of the above
//
// Operations: product, dot, transpose, softmax, softmaxWithoutMaximum, crossEntropy, squaredError, attention,
// multiHeadAttention, splitHeads, positions, rotary, alibi, layerNorm, rmsNorm, feedForward, adam, schedule, clip.

const asRows = (value) => (!Array.isArray(value) ? [[Number(value)]] : Array.isArray(value[0]) ? value : [value]);

// `module`: the bytes of textbook.wasm, for places without fetch.
export async function openTextbook(module) {
  const imports = { env: { emscripten_notify_memory_growth() {} } };
  const bytes = module ?? (await (await fetch(new URL("textbook.wasm", import.meta.url))).arrayBuffer());
  const { exports: program } = (await WebAssembly.instantiate(bytes, imports)).instance;
  program._initialize?.();

  const memory = () => new Uint8Array(program.memory.buffer);
  function textAt(address) {
    const end = memory().indexOf(0, address);
    return new TextDecoder().decode(memory().slice(address, end));
  }
  function put(name, value) {
    const rows = asRows(value);
    const columns = rows[0].length;
    const encoded = new TextEncoder().encode(`${name}\0`);
    if (encoded.length > 64) throw new Error(`${name} is no name of a matrix`);
    if (rows.some((row) => row.length !== columns)) throw new Error(`the rows of ${name} differ in length`);
    memory().set(encoded, program.tp_textbook_name());
    const address = program.tp_textbook_put(rows.length, columns);
    new Float64Array(program.memory.buffer, address, rows.length * columns).set(rows.flat());
  }
  function take(i) {
    const [rows, columns] = [program.tp_textbook_rows(i), program.tp_textbook_columns(i)];
    const numbers = new Float64Array(program.memory.buffer, program.tp_textbook_numbers(i), rows * columns);
    return Array.from({ length: rows }, (_, row) => [...numbers.subarray(row * columns, (row + 1) * columns)]);
  }
  function run(operation, withGradient, given) {
    program.tp_textbook_clear();
    for (const [name, value] of Object.entries(given)) put(name, value);
    const problem = program.tp_textbook_run(operation, withGradient);
    if (problem) throw new Error(`${textAt(program.tp_textbook_operation(operation))}: ${textAt(problem)}`);
    const results = {};
    for (let i = 0; i < program.tp_textbook_results(); ++i) results[textAt(program.tp_textbook_result(i))] = take(i);
    return results;
  }

  const book = {};
  for (let i = 0; i < program.tp_textbook_operations(); ++i) {
    const operation = (given = {}) => run(i, 0, given);
    operation.gradient = (given = {}) => run(i, 1, given);
    book[textAt(program.tp_textbook_operation(i))] = operation;
  }
  return book;
}
