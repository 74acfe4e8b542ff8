// What the measurements of a run say: medians over its rounds, with their spread. Ratios and shares are taken
// within a round, where both sides met the same machine.

import { kindOf, sweepOf } from "./cases.mjs";
import { median } from "./peers/work.mjs";

// { median, min, max } of some numbers; null of none
export function summary(values) {
  if (!values.length) return null;
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

export class Results {
  measurements = [];

  add(measurement) {
    this.measurements.push(measurement);
  }

  get cases() {
    return [...new Set(this.measurements.map((m) => m.case))];
  }

  // In the order of their first measurement.
  contendersOf(name) {
    return [...new Set(this.#of(name).map(({ contender }) => contender))];
  }

  #of(name, contender) {
    return this.measurements.filter((m) => m.case === name && (!contender || m.contender === contender));
  }

  // A number of each round, from the measurements there of (case, contender) pairs.
  #perRound(pairs, compute) {
    const rounds = [...new Set(this.measurements.map(({ round }) => round))];
    const values = rounds.map((round) => {
      const found = pairs.map(([name, contender]) => this.#of(name, contender).find((m) => m.round === round));
      return found.every(Boolean) ? compute(...found) : null;
    });
    return summary(values.filter((value) => value !== null && Number.isFinite(value)));
  }

  milliseconds(name, contender) {
    return this.#perRound([[name, contender]], ({ ms }) => ms);
  }

  // Of every case and contender, for machines to read.
  medians() {
    const pairs = this.cases.flatMap((name) => this.contendersOf(name).map((contender) => ({ case: name, contender })));
    return pairs.map((pair) => ({ ...pair, ms: this.milliseconds(pair.case, pair.contender) })).filter(({ ms }) => ms);
  }

  gigaflops(name, contender) {
    return this.#perRound([[name, contender]], ({ flop, ms }) => flop / ms / 1e6);
  }

  // Tokens in a second; of decoding, where a measurement is of one token.
  rate(name, contender) {
    return this.#perRound([[name, contender]], ({ ms }) => 1000 / ms);
  }

  // How many times as fast the first is as the second; each is [case, contender].
  speed(ours, theirs) {
    return this.#perRound([ours, theirs], (a, b) => b.ms / a.ms);
  }

  // Arithmetic of a case as a share of the multiply-add peak that was measured between its calls.
  shareOfPeak(name, contender) {
    return this.#perRound([[name, contender]], ({ shareOfPeak }) => shareOfPeak ?? null);
  }

  // Learning: how many times as soon; only where both came to the end.
  sooner(ours, theirs) {
    const ratio = (a, b) => (a.reached && b.reached ? b.seconds / a.seconds : null);
    return this.#perRound([["learn", ours], ["learn", theirs]], ratio);
  }

  learned(contender) {
    const all = this.#of("learn", contender);
    const reached = all.filter((m) => m.reached);
    return { all, seconds: summary(reached.map(({ seconds }) => seconds)), steps: summary(reached.map(({ steps }) => steps)) };
  }

  // The exponent e of ms (or another field) ~ size^e along a sweep, of each round. Least squares of logarithms.
  growth(axis, contender, field = "ms") {
    const points = this.measurements.filter(
      (m) => m.contender === contender && kindOf(m.case) === "sweep" && sweepOf(m.case).axis === axis && m[field] > 0,
    );
    const slopes = [...new Set(points.map(({ round }) => round))].map((round) => {
      const here = points.filter((m) => m.round === round);
      const xs = here.map((m) => Math.log(sweepOf(m.case).value));
      const ys = here.map((m) => Math.log(m[field]));
      return here.length >= 3 ? slope(xs, ys) : null;
    });
    return summary(slopes.filter((value) => value !== null));
  }

  foreign() {
    return summary(this.measurements.map(({ foreign }) => foreign).filter((value) => value !== null));
  }
}

function slope(xs, ys) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x0, y0] = [mean(xs), mean(ys)];
  const covariance = xs.reduce((sum, x, i) => sum + (x - x0) * (ys[i] - y0), 0);
  return covariance / xs.reduce((sum, x) => sum + (x - x0) ** 2, 0);
}
