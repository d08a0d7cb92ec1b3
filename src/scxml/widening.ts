// Variables that take too many values to be told apart: a counter that a condition asks.
//
// Such a variable is forgotten, and with it every variable computed from it; conditions that mention one may be true or false, and both are followed. That
// has more runs than the chart, never fewer: the variables are used in nothing else, and neither their assignments nor the conditions can throw (idle-data.ts).
// What is refuted is replayed with the real values.

import type { Caveat } from '../actors/behaviour.ts';
import type { Chart } from './chart.ts';
import { computedFrom, namesIn, widenableVariables } from './idle-data.ts';
import type { Encoded } from './sandbox.ts';

/** Fewer values than that are not worth it. */
const FEW = 8;

export class Widening {
  private readonly given: ReadonlySet<string>;
  private readonly forgotten = new Map<Chart, ReadonlySet<string>>();

  /** `given`: variables that get values from outside their chart. */
  constructor(given: ReadonlySet<string>) {
    this.given = given;
  }

  in(chart: Chart): ReadonlySet<string> {
    return this.forgotten.get(chart) ?? NONE;
  }

  looksAt(chart: Chart, text: string): boolean {
    const forgotten = this.in(chart);
    return forgotten.size > 0 && namesIn(text).some((name) => forgotten.has(name));
  }

  /** Widens the variable with the most values in these data of sessions. False when there is none to widen. */
  widenMost(sessions: Iterable<{ readonly chart: Chart; readonly data: Encoded }>): boolean {
    const values = new Map<Chart, Map<string, Set<string>>>();
    for (const { chart, data } of sessions) {
      const tree = JSON.parse(data) as unknown[];
      const ofChart = values.get(chart) ?? new Map<string, Set<string>>();
      values.set(chart, ofChart);
      for (let i = 1; i < tree.length; i += 2) {
        const name = String(tree[i]);
        ofChart.set(name, (ofChart.get(name) ?? new Set()).add(JSON.stringify(tree[i + 1])));
      }
    }
    let most: { chart: Chart; name: string; count: number } | null = null;
    for (const [chart, ofChart] of values) {
      const widenable = widenableVariables(chart, this.given);
      for (const [name, { size: count }] of ofChart)
        if (widenable.has(name) && count >= FEW && count > (most?.count ?? 0)) most = { chart, name, count };
    }
    if (most === null) return false;
    const { chart, name } = most;
    this.forgotten.set(chart, computedFrom(chart, new Set([...this.in(chart), name])));
    return true;
  }

  caveats(): Caveat[] {
    return [...this.forgotten].flatMap(([chart, names]) =>
      [...names].map(
        (name): Caveat => ({
          kind: 'widened',
          message: `${name} of ${chart.name} takes too many values to be told apart: it may be anything`,
          at: null,
        }),
      ),
    );
  }
}

const NONE: ReadonlySet<string> = new Set();
