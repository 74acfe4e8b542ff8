// The command line of bench/run.

import { parseArgs } from "node:util";

export const help = `bench/run: our engine (native, and WebAssembly in node and Chromium) against its peers, interleaved

  bench/run                                # everything, 5 rounds; takes about half an hour
  bench/run --cases tiny,small --rounds 7
  bench/run --cases tiny --only 'chromium|jax' --seconds 1
  bench/run --learn --write                # also from Play to 99%; rewrites bench/RESULTS.md

  --rounds N       how often each measurement is made (5)
  --seconds S      for each measurement (2); kernels take an eighth of it, or 0.3
  --cases A,B      only these; a case is a name of tp bench --list, or the part before its first dash
                   (kernel, default, batch, length, width, depth)
  --only REGEX     only contenders whose name matches: native-exact, native-fused, native-fused-2, node-exact,
                   node-fused, chromium-exact, chromium-fused, chromium-exact-2, eigen-native,
                   eigen-chromium, jax-js, tfjs-tuned, tfjs-plain, pytorch
  --learn          also race to 99% of held-out answers on the task reverse: once, or in as many rounds as
                   --rounds says; --cases learn does nothing else
  --limit S        seconds to learn for, at most (900)
  --json FILE      write every measurement and the medians
  --with FILE      take the measurements along that another run wrote with --json
  --write          rewrite bench/RESULTS.md
  --no-wait        do not wait for other programs to be quiet before each measurement
  --tp FILE        the native program (build/release/bin/tp)
  --smoke          a short run of our own contenders, to see that they run; never looks at a time
  --help           this text

Peers come from npm (npm ci --ignore-scripts --prefix bench) and from Debian (python3-torch
libopenblas0-pthread). What is missing is said and left out. Ctrl-C stops and prints what there is so far.`;

const table = {
  rounds: { type: "string" },
  seconds: { type: "string", default: "2" },
  cases: { type: "string" },
  only: { type: "string" },
  learn: { type: "boolean", default: false },
  limit: { type: "string", default: "900" },
  json: { type: "string" },
  with: { type: "string" },
  write: { type: "boolean", default: false },
  "no-wait": { type: "boolean", default: false },
  tp: { type: "string" },
  smoke: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
};

function positive(name, text, whole = false) {
  const value = Number(text);
  if (!(value > 0) || (whole && !Number.isInteger(value))) {
    throw new Error(`--${name} ${text}: give a ${whole ? "whole " : ""}number above 0.`);
  }
  return value;
}

// Throws an Error whose message can be shown as it is.
export function parseOptions(words) {
  const { values } = parseArgs({ args: words, options: table });
  const smoke = values.smoke;
  let only = null;
  try {
    if (values.only !== undefined) only = new RegExp(values.only);
  } catch {
    throw new Error(`--only ${values.only}: not a regular expression.`);
  }
  const rounds = values.rounds === undefined ? undefined : positive("rounds", values.rounds, true);
  return {
    help: values.help,
    smoke,
    rounds: smoke ? 1 : (rounds ?? 5),
    learnRounds: rounds ?? 1,
    seconds: smoke ? 0.05 : positive("seconds", values.seconds),
    cases: values.cases?.split(",").filter(Boolean),
    only,
    learn: values.learn || (values.cases?.split(",").includes("learn") ?? false),
    limit: positive("limit", values.limit),
    json: values.json,
    with: values.with,
    write: values.write,
    wait: !values["no-wait"] && !smoke,
    tp: values.tp,
  };
}
