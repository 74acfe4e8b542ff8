// What there is to measure, by name; the C++ side has the list (tp bench --list).

const sweep = /^(batch|length|width|depth)-(\d+)$/;

// training, decode, peak, kernel, eigen, default, lengths or sweep
export function kindOf(name) {
  if (name === "tiny" || name === "small") return "training";
  if (name === "lengths-1-16" || name === "padded-16") return "lengths";
  if (sweep.test(name)) return "sweep";
  return name.split("-")[0];
}

// { axis: "batch", value: 32 } of batch-32
export function sweepOf(name) {
  const [, axis, value] = sweep.exec(name);
  return { axis, value: Number(value) };
}

// The same product by Eigen.
export const eigenCase = (kernel) => kernel.replace(/^kernel-/, "eigen-");

// Kernels repeat within microseconds: less time tells as much about them, once the browser has compiled them.
export function secondsFor(name, seconds) {
  return ["kernel", "peak"].includes(kindOf(name)) ? Math.min(seconds, Math.max(seconds / 8, 0.3)) : seconds;
}

// Of all names, those that were asked for. Eigen's products are raced under the names of ours.
export function chooseCases(allNames, wanted) {
  const names = allNames.filter((name) => kindOf(name) !== "eigen");
  if (!wanted) return names;
  const matches = (name) => wanted.includes(name) || wanted.includes(name.split("-")[0]);
  const unknown = wanted.filter((word) => word !== "learn" && !names.some((name) => name === word || name.split("-")[0] === word));
  if (unknown.length) throw new Error(`there is no case ${unknown.join(", ")}: choose of ${names.join(" ")}.`);
  return names.filter(matches);
}

// For the smoke test: a whole step and one kernel.
export function smokeCases(names) {
  const kernel = names.find((name) => kindOf(name) === "kernel");
  return ["tiny", ...(kernel ? [kernel] : [])];
}
