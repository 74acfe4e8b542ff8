// Puts a run together: what is asked for, who can take part, the race, and what is written at the end.

import { execFileSync } from "node:child_process";
import fs from "node:fs";

import { chooseCases, smokeCases } from "./cases.mjs";
import { stopPrograms } from "./child.mjs";
import { Chromium } from "./chromium.mjs";
import { allContenders } from "./contenders.mjs";
import { judgedGoals } from "./goals.mjs";
import { describeMachine } from "./machine.mjs";
import { help, parseOptions } from "./options.mjs";
import { inProject } from "./project.mjs";
import { race, raceToLearn } from "./race.mjs";
import { report } from "./report.mjs";
import { Results } from "./results.mjs";

const say = (text) => console.log(text);

// Of the native program; without it, those that peers take part in.
function caseNames(tp) {
  try {
    return execFileSync(tp, ["bench", "--list"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).split("\n").filter(Boolean);
  } catch {
    say(`${tp} bench --list does not answer, so only tiny, small and decode are raced.`);
    return ["tiny", "small", "decode"];
  }
}

// Without those that miss something, which is said once for each reason.
function present(contenders) {
  const reasons = new Map();
  for (const { name, missing } of contenders) {
    const reason = missing();
    if (reason) reasons.set(reason, [...(reasons.get(reason) ?? []), name]);
  }
  for (const [reason, names] of reasons) say(`${names.join(", ")} left out; ${reason}`);
  return contenders.filter(({ missing }) => !missing());
}

// `rounds` of `seconds` each: of the race, and not of the learning beside it.
function resultsText(results, machine, { rounds, seconds }) {
  const versions = Object.entries(machine.versions).filter(([, version]) => version);
  const foreign = results.foreign();
  return `# Results of bench/run

${machine.date}, commit ${machine.commit}: ${machine.processor}, ${machine.cores} cores (${machine.has.join(", ")}).
${versions.map(([name, version]) => `${name} ${version}`).join(", ")}.

Medians of ${rounds} interleaved rounds of ${seconds} s each; min–max is over the rounds. Ratios and shares are
taken within a round. One thread, except where a name ends in 2.${
    foreign ? ` Other programs kept ${foreign.median.toFixed(2)} cores busy\nmeanwhile (at most ${foreign.max.toFixed(2)}).` : ""
  } Only ratios are worth comparing with another run.

${report(results)}
`;
}

const onlyLearns = ({ cases }) => cases?.length === 1 && cases[0] === "learn";

// Returns how many contenders failed at some case.
async function runRaces(options, contenders, results, stop) {
  const tp = options.tp ?? inProject("build/release/bin/tp");
  const chosen = contenders.filter(({ name, own }) => (!options.only || options.only.test(name)) && (!options.smoke || own));
  const add = (measurement) => results.add(measurement);
  let failures = 0;
  if (!onlyLearns(options)) {
    const names = caseNames(tp);
    const cases = options.smoke ? smokeCases(names) : chooseCases(names, options.cases);
    const needed = chosen.filter(({ takesPart }) => cases.some((name) => takesPart(name)));
    failures = await race({ ...options, cases, contenders: present(needed), stop, say, add });
  }
  if (options.learn && !stop.aborted) {
    const learners = present(chosen.filter(({ takesPart }) => takesPart("learn")));
    await raceToLearn({ ...options, contenders: learners, rounds: options.learnRounds, stop, say, add });
  }
  return failures;
}

export async function main(words) {
  let options;
  try {
    options = parseOptions(words);
  } catch (error) {
    console.error(`${error.message}\nbench/run --help says what there is.`);
    return 2;
  }
  if (options.help) {
    say(help);
    return 0;
  }

  const chromium = new Chromium();
  const contenders = allContenders(chromium, options.tp);
  const results = new Results();
  const stop = new AbortController();
  const interrupt = () => {
    if (stop.signal.aborted) process.exit(130); // the second time: at once; Playwright takes Chromium along
    say("\nStopping ...");
    stop.abort();
    stopPrograms();
    chromium.close();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, interrupt);

  let version = null;
  let failures = 0;
  let { rounds, seconds } = options;
  try {
    if (options.with) {
      const earlier = JSON.parse(fs.readFileSync(options.with, "utf8"));
      for (const measurement of earlier.measurements) results.add(measurement);
      if (onlyLearns(options)) ({ rounds, seconds } = earlier);
    }
    failures = await runRaces(options, contenders, results, stop.signal);
    version = await chromium.version().catch(() => null);
  } catch (error) {
    console.error(error.message);
    return 2;
  } finally {
    await chromium.close();
  }

  if (options.smoke && !stop.signal.aborted) {
    // That everything there is runs and prints; never a time.
    const count = results.measurements.length;
    say(`bench: ${count} passed, ${count ? failures : 1} failed`);
    return count && !failures ? 0 : 1;
  }
  const machine = describeMachine(results.measurements, version);
  if (results.measurements.length) say(`\n${report(results)}`);
  if (options.json) {
    const { measurements } = results;
    const all = { machine, rounds, seconds, goals: judgedGoals(results), medians: results.medians(), measurements };
    fs.writeFileSync(options.json, `${JSON.stringify(all, null, 1)}\n`);
  }
  if (stop.signal.aborted) return 130;
  if (!results.measurements.length) {
    say("Nothing was measured.");
    return 1;
  }
  if (options.write) fs.writeFileSync(inProject("bench/RESULTS.md"), resultsText(results, machine, { rounds, seconds }));
  return 0;
}
