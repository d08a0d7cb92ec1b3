// One row per queue as a user knows it: the net has one queue per class for a channel local to a proctype, the report has one per name.

import type { BoundednessAnalysis } from '../../boundedness/model.ts';
import type { Model } from '../../explore/compile.ts';
import type { Abstraction } from '../../net/build.ts';
import type { Program } from '../../process/program.ts';
import { type Position, startOf } from '../../source/source.ts';
import { type QueueResult, worst } from '../../verdict/verdict.ts';

export function queuesOfNet(
  program: Program,
  {
    analysis,
    abstraction,
  }: { readonly analysis: Pick<BoundednessAnalysis, 'queues'>; readonly abstraction: Abstraction },
  only?: readonly string[],
): QueueResult[] {
  const blind = abstraction.unknowns.length > 0;
  const rows = new Map<string, QueueResult>();
  for (const found of analysis.queues) {
    // A rendezvous channel holds nothing: there is nothing to bound.
    if (found.declared === 0) continue;
    const at = abstraction.net.queues[found.queue]!.at;
    const row: QueueResult = blind
      ? { ...open(found.name, found.declared), ...place(at) }
      : {
          name: found.name,
          verdict: found.verdict,
          bound: found.bound,
          certifiedBound: found.certifiedBound,
          exact: null,
          declared: found.declared,
          fits: found.fits,
          ...place(at),
        };
    const known = rows.get(row.name);
    rows.set(row.name, known === undefined ? row : mergeRows(known, row));
  }
  return among(withUnseen(program, [...rows.values()], blind), only);
}

const among = (rows: QueueResult[], only: readonly string[] | undefined): QueueResult[] =>
  only === undefined ? rows : rows.filter(({ name }) => only.includes(name));

const place = (at: Position | null): { readonly at?: Position } => (at === null ? {} : { at });

const open = (name: string, declared: number): QueueResult => ({
  name,
  verdict: 'unknown',
  bound: null,
  certifiedBound: null,
  exact: null,
  declared,
  fits: null,
});

function mergeRows(a: QueueResult, b: QueueResult): QueueResult {
  const largest = (x: number | null, y: number | null): number | null =>
    x === null || y === null ? null : Math.max(x, y);
  return {
    ...a,
    verdict: worst([a.verdict, b.verdict]),
    bound: largest(a.bound, b.bound),
    certifiedBound: largest(a.certifiedBound, b.certifiedBound),
    exact: largest(a.exact, b.exact),
    fits: a.fits === null || b.fits === null ? null : a.fits && b.fits,
  };
}

/** Channels of proctypes that are never started have no queue in the net: nothing is ever sent to them, if the net saw everything. */
function withUnseen(program: Program, rows: QueueResult[], blind: boolean): QueueResult[] {
  for (const site of program.channelSites) {
    const variable = program.variables[site.variable]!;
    if (site.capacity === 0 || variable.owner === null) continue;
    const name = [`${program.proctypes[variable.owner]!.name}.${variable.name}`, ...site.fieldPath].join('.');
    if (rows.some((row) => row.name === name || row.name.startsWith(`${name}[`))) continue;
    const at = startOf(site.span);
    const unseen = open(name, site.capacity);
    rows.push(
      blind ? { ...unseen, at } : { ...unseen, verdict: 'proved', bound: 0, exact: 0, fits: true, at },
    );
  }
  return rows;
}

/** The buffered queues as the explorer knows them, before anything is known of them. */
export const queuesOfModel = ({ layout }: Model, only?: readonly string[]): QueueResult[] =>
  among(
    layout.queueNames
      .filter(({ capacity }) => capacity > 0)
      .map(({ name, capacity, site }) => ({ ...open(name, capacity), at: startOf(site.span) })),
    only,
  );
