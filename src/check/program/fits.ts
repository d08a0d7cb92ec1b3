// Does the answer for unlimited channels carry over to the declared capacities? `fits: true` promises that no send on the queue ever
// blocks as the model stands, so a bound alone is not enough: where another queue fills up, or where the model tests `full`, the model may
// do what it never does with unlimited channels. Three ways to be sure:
//   1. the bound has a certificate, and so have those of all queues that the net assumes never to be full (docs/abstraction.md);
//   2. every queue fits, and nothing tests `full` or `nfull`: before the first send that blocks, both runs are the same;
//   3. nothing in the model can do more when a send blocks: then a run at the declared capacities is a run without limits.
// Otherwise nothing is promised.

import { featuresOf } from '../../explore/features.ts';
import type { Abstraction } from '../../net/build.ts';
import type { Proctype, Program } from '../../process/program.ts';
import { walkProgram } from '../../process/walk.ts';
import type { QueueResult } from '../../verdict/verdict.ts';

/** What a net takes for granted. */
export interface NetAssumptions {
  /** The names of queues that it assumes never to be full. */
  readonly neverFull: readonly string[];
  /** It has every run of the model. */
  readonly seesAll: boolean;
}

export const assumptionsOf = ({ net, assumesNeverFull, unknowns }: Abstraction): NetAssumptions => ({
  neverFull: assumesNeverFull.map((queue) => net.queues[queue]!.name),
  seesAll: unknowns.length === 0,
});

export function trustedFits(
  program: Program,
  { neverFull, seesAll }: NetAssumptions,
  queues: readonly QueueResult[],
): readonly QueueResult[] {
  const certified = new Set(queues.filter(hasCertifiedRoom).map((queue) => queue.name));
  const assumptionsHold = seesAll && neverFull.every((name) => certified.has(name));
  const testsRoom = looksAtRoom(program);
  const allFit = queues.every((queue) => queue.fits === true);
  if (!testsRoom && (allFit || !mindsBlocking(program))) return queues;
  return queues.map((queue) => {
    if (queue.fits === true)
      return assumptionsHold && certified.has(queue.name) ? queue : { ...queue, fits: null };
    // A model that looks for room before it sends may keep within its capacity, whatever it does with unlimited channels.
    return testsRoom && queue.verdict === 'proved' ? { ...queue, fits: null } : queue;
  });
}

const hasCertifiedRoom = ({ certifiedBound, declared }: QueueResult): boolean =>
  certifiedBound !== null && certifiedBound <= declared;

/** Does the model test `full` or `nfull`? */
export function looksAtRoom(program: Program): boolean {
  let found = false;
  walkProgram(program, null, {
    expression: (expression) => {
      if (expression.kind === 'channel-query' && /full/.test(expression.query)) found = true;
    },
  });
  return found;
}

/** Can a send that blocks make something else possible? */
export function mindsBlocking(program: Program): boolean {
  const { timeout, enabled, priority } = featuresOf(program, null);
  return timeout || enabled || priority || program.proctypes.some(restsOnSends);
}

/** A send inside `atomic` or d_step, beside `else`, or at the start of an escape. */
function restsOnSends({ edges, locations }: Proctype): boolean {
  const passed = new Set(edges.filter((edge) => edge.keepsControl).map((edge) => edge.to));
  const sends = (id: number): boolean => ['send', 'dstep'].includes(edges[id]!.statement.kind);
  return (
    edges.some(
      (edge) =>
        edge.statement.kind === 'dstep' ||
        (edge.statement.kind === 'send' && passed.has(edge.from)) ||
        edge.blockedBy.some(sends),
    ) ||
    locations.some(
      (location) =>
        location.edges.some((id) => edges[id]!.statement.kind === 'else') && location.edges.some(sends),
    )
  );
}
