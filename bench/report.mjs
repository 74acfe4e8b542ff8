// The tables of a run, as Markdown that is readable in a terminal, too.

import { kindOf, sweepOf } from "./cases.mjs";
import { judgedGoals } from "./goals.mjs";

const peers = ["jax-js", "tfjs-tuned", "tfjs-plain", "pytorch"];

function number(value) {
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toPrecision(3);
}
const spread = (s) => (s ? `${number(s.min)}–${number(s.max)}` : "");
const middle = (s) => (s ? number(s.median) : "");
const percent = (s) => (s ? `${(100 * s.median).toFixed(0)}%` : "");
const factor = (s) => (s ? `${s.median.toFixed(2)}x (${s.min.toFixed(2)}–${s.max.toFixed(2)})` : "");

function table(head, rows) {
  const used = head.map((_, column) => column === 0 || rows.some((row) => row[column] !== ""));
  const kept = [head, ...rows].map((row) => row.filter((_, column) => used[column]));
  const widths = kept[0].map((_, column) => Math.max(...kept.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join(" | ")} |`;
  const rule = `|${widths.map((width, i) => (i === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  return [line(kept[0]), rule, ...kept.slice(1).map(line)].join("\n");
}

// A case that peers take part in: a row for each contender, and how many times as fast it is as each peer.
function raceTable(results, name) {
  const decoding = name === "decode";
  const entrants = results.contendersOf(name).sort((a, b) => peers.indexOf(a) - peers.indexOf(b));
  const rivals = peers.filter((peer) => entrants.includes(peer));
  const head = [name, decoding ? "tokens/s" : "ms a step", "min–max", "GFLOP/s", "of peak", ...rivals.map((peer) => `speed / ${peer}`)];
  const rows = entrants.map((contender) => {
    const time = decoding ? results.rate(name, contender) : results.milliseconds(name, contender);
    const ratios = rivals.map((peer) => (peers.includes(contender) ? "" : factor(results.speed([name, contender], [name, peer]))));
    const arithmetic = decoding // far from what a processor can do: it waits for memory
      ? ["", ""]
      : [middle(results.gigaflops(name, contender)), percent(results.shareOfPeak(name, contender))];
    return [contender, middle(time), spread(time), ...arithmetic, ...ratios];
  });
  return table(head, rows);
}

// Our own cases side by side: a row for each case.
function ownTable(results, title, names, columns) {
  const entrants = [...new Set(names.flatMap((name) => results.contendersOf(name)))].sort();
  const contenders = entrants.filter((contender) => !contender.startsWith("eigen"));
  const head = [title, ...contenders.flatMap((contender) => columns.map(({ label }) => `${contender} ${label}`))];
  const rows = names.map((name) => [name, ...contenders.flatMap((contender) => columns.map(({ of }) => of(name, contender)))]);
  return table(head, rows);
}

// Our products beside Eigen's at the same shape, on the same machine and in the same browser.
function eigenTable(results, names) {
  const rivals = [
    ["eigen-native", ["native-exact", "native-fused"]],
    ["eigen-chromium", ["chromium-exact", "chromium-fused"]],
  ];
  const head = rivals.flatMap(([rival, ours]) => [`${rival} GFLOP/s`, ...ours.map((contender) => `${contender} / ${rival}`)]);
  const rows = names.map((name) => [
    name,
    ...rivals.flatMap(([rival, ours]) => [
      middle(results.gigaflops(name, rival)),
      ...ours.map((contender) => factor(results.speed([name, contender], [name, rival]))),
    ]),
  ]);
  const raced = rivals.some(([rival]) => names.some((name) => results.milliseconds(name, rival)));
  return raced ? table(["product, speed", ...head], rows) : null;
}

function growthTable(results) {
  const sweeps = results.cases.filter((name) => kindOf(name) === "sweep");
  const contenders = [...new Set(sweeps.flatMap((name) => results.contendersOf(name)))];
  const axes = [...new Set(sweeps.map((name) => sweepOf(name).axis))];
  const lines = contenders.flatMap((contender) =>
    axes.flatMap((axis) =>
      ["ms", "bytes"].map((field) => {
        const got = results.growth(axis, contender, field);
        const range = got && `${got.min.toFixed(2)}–${got.max.toFixed(2)}`;
        return got && [`${field === "ms" ? "time" : "memory"} by ${axis}`, contender, got.median.toFixed(2), range];
      }),
    ),
  );
  const rows = lines.filter(Boolean);
  return rows.length ? table(["growth", "contender", "exponent", "min–max"], rows) : null;
}

function learnTable(results) {
  const rows = results.contendersOf("learn").map((contender) => {
    const { all, seconds, steps } = results.learned(contender);
    if (seconds) return [contender, middle(seconds), spread(seconds), middle(steps)];
    const longest = Math.max(...all.map((m) => m.seconds));
    return [contender, `not reached within ${longest.toFixed(0)}`, "", `${Math.max(...all.map((m) => m.steps))} done`];
  });
  return table(["reverse to 99%", "seconds", "min–max", "steps"], rows);
}

function goalTable(results) {
  const show = (value, unit) => (unit === "%" ? `${(100 * value).toFixed(0)}%` : `${value.toFixed(2)}${unit}`);
  const rows = judgedGoals(results).map(({ text, got, reached, unit }) => [
    text,
    show(got.median, unit),
    `${show(got.min, unit)}–${show(got.max, unit)}`,
    reached ? "reached" : "not reached",
  ]);
  return rows.length ? table(["goal", "median", "min–max", ""], rows) : null;
}

export function report(results) {
  const ofKind = (kind) => results.cases.filter((name) => kindOf(name) === kind);
  const time = [
    { label: "ms", of: (name, contender) => middle(results.milliseconds(name, contender)) },
    { label: "min–max", of: (name, contender) => spread(results.milliseconds(name, contender)) },
  ];
  const speed = [
    { label: "GFLOP/s", of: (name, contender) => middle(results.gigaflops(name, contender)) },
    { label: "of peak", of: (name, contender) => percent(results.shareOfPeak(name, contender)) },
  ];
  const own = (title, names, columns) => (names.length ? ownTable(results, title, names, columns) : null);
  return [
    ...[...ofKind("training"), ...ofKind("decode")].map((name) => raceTable(results, name)),
    own("product", [...ofKind("peak"), ...ofKind("kernel")], speed),
    eigenTable(results, ofKind("kernel")),
    own("default model", [...ofKind("default"), ...ofKind("lengths")], time),
    own("sweep", ofKind("sweep"), time),
    growthTable(results),
    results.contendersOf("learn").length ? learnTable(results) : null,
    goalTable(results),
  ]
    .filter(Boolean)
    .join("\n\n");
}
