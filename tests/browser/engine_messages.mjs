// Commands and the beginning of snapshots, spelled as engine/session/archive.h does.

const states = ["empty", "paused", "running", "solved", "finished", "failed"];

// The index of a command in CommandBody (engine/session/command.h), and its fields as bytes.
const encoder = new TextEncoder();
const text = (value) => {
  const letters = encoder.encode(value);
  return [...number("Uint32", 4, letters.length), ...letters];
};
function number(kind, size, value) {
  const view = new DataView(new ArrayBuffer(size));
  view[`set${kind}`](0, value, true);
  return new Uint8Array(view.buffer);
}
const bodies = {
  pause: () => [0],
  start: ({ config }) => [1, ...text(config), ...text(""), 0],
  play: () => [2],
  step: ({ count }) => [3, ...number("Int32", 4, count)],
};

export function command(name, { id = 0, ...given } = {}) {
  const head = [...number("Uint32", 4, 0x4d4f4354), ...number("Uint16", 2, 2), ...number("Uint32", 4, id)];
  return Uint8Array.from([...head, ...bodies[name](given)]);
}

export function beginning(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return {
    run: view.getUint32(6, true),
    state: states[view.getUint8(10)],
    branch: view.getInt32(11, true),
    step: Number(view.getBigUint64(15, true)),
    hash: view.getBigUint64(39, true).toString(16).padStart(16, "0"),
    answered: view.getUint32(47, true),
  };
}

// What the preset first-look sets.
export const firstLook = JSON.stringify({
  task: "reverse",
  task_parameters: { min_length: 10, max_length: 10 },
  model: { d_model: 64, d_ff: 256, encoder_layers: 1, decoder_layers: 1, heads: 2 },
  train: { batch: 64, steps: 400 },
});
