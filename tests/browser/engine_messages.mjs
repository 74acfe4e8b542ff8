// Commands and the beginning of snapshots, spelled as engine/session/archive.h does.

const kinds = ["start", "play", "pause", "step", "pace", "retune", "watch", "example", "try_input", "rewind", "save", "load", "estimate"];
const states = ["empty", "paused", "running", "solved", "finished", "failed"];

export function command(kind, { id = 0, text = "", number = 0, index = 0, flag = false } = {}) {
  const letters = new TextEncoder().encode(text);
  const bytes = new Uint8Array(4 + 2 + 1 + 4 + 4 + letters.length + 4 + 4 + 8 + 4 + 4 + 4 + 8 + 1);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x4d4f4354, true);
  view.setUint16(4, 1, true);
  view.setUint8(6, kinds.indexOf(kind));
  view.setUint32(7, id, true);
  view.setUint32(11, letters.length, true);
  bytes.set(letters, 15);
  const rest = 15 + letters.length + 8; // no material, no bytes
  view.setFloat64(rest, number, true);
  view.setInt32(rest + 8, index, true);
  view.setUint8(rest + 28, flag ? 1 : 0);
  return bytes;
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
