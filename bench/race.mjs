// The interleaved run: in each round, for each case, every contender in turn. What happens to the machine
// meanwhile then happens to all of them; only ratios of one run are worth comparing.

import { secondsFor } from "./cases.mjs";
import { waitForQuiet, withForeignShare } from "./quiet.mjs";

// Everyone begins a round once.
function rotated(list, by) {
  const shift = list.length ? by % list.length : 0;
  return [...list.slice(shift), ...list.slice(0, shift)];
}

// Calls `add` with each measurement as it is made, and returns how many contenders failed at some case. Ends
// early when `stop.aborted`.
export async function race({ cases, contenders, rounds, seconds, wait, stop, say, add }) {
  const failures = new Map(); // how often; who fails twice at a case is not asked again
  for (let round = 0; round < rounds; ++round) {
    for (const name of cases) {
      const entrants = contenders.filter(({ takesPart }) => takesPart(name));
      for (const contender of rotated(entrants, round)) {
        const key = `${name} ${contender.name}`;
        if (failures.get(key) >= 2) continue;
        if (wait) await waitForQuiet();
        if (stop.aborted) return failures.size;
        try {
          const { result, foreign } = await withForeignShare(() => contender.measure(name, secondsFor(name, seconds)));
          if (!(result.ms > 0)) throw new Error(`it answered ${JSON.stringify(result)}`);
          add({ round, case: name, contender: contender.name, ...result, foreign });
          const note = foreign > 0.15 ? `   (others kept ${foreign.toFixed(1)} cores busy)` : "";
          say(`round ${round + 1}  ${name.padEnd(24)} ${contender.name.padEnd(18)} ${result.ms.toPrecision(4)} ms${note}`);
        } catch (error) {
          if (stop.aborted) return failures.size;
          failures.set(key, (failures.get(key) ?? 0) + 1);
          say(`round ${round + 1}  ${name.padEnd(24)} ${contender.name.padEnd(18)} failed: ${error.message.split("\n")[0]}`);
        }
      }
    }
  }
  return failures.size;
}

// From the first step to enough exact held-out answers; each in turn.
export async function raceToLearn({ contenders, rounds, limit, wait, stop, say, add }) {
  for (let round = 0; round < rounds; ++round) {
    for (const contender of rotated(contenders, round)) {
      if (wait) await waitForQuiet();
      if (stop.aborted) return;
      say(`round ${round + 1}  learn  ${contender.name} ...`);
      try {
        const work = () => contender.learn(limit, (text) => say(`         ${contender.name}: ${text}`));
        const { result, foreign } = await withForeignShare(work);
        add({ round, case: "learn", contender: contender.name, ...result, foreign });
        const seconds = result.seconds.toFixed(1);
        const end = result.reached ? `${seconds} s, ${result.steps} steps` : `not reached within ${seconds} s (${result.steps} steps)`;
        say(`round ${round + 1}  learn  ${contender.name.padEnd(18)} ${end}`);
      } catch (error) {
        if (stop.aborted) return;
        say(`round ${round + 1}  learn  ${contender.name} failed: ${error.message.split("\n")[0]}`);
      }
    }
  }
}
