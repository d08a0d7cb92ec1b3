// Safety of systems whose queues may grow for ever: k-multiparty compatibility (Lange and Yoshida: *Verifying asynchronous interactions via
// communicating session automata*, 2019), with k found, not given.
//
// For machines that are deterministic, have no state that both sends and receives, and in every state deal with one partner only
// ("directed", which implies the two conditions of bound independence), Theorem 1 there says: if every send that a machine is ready for
// becomes possible without its own doing while queues hold at most k (k-exhaustive), and in the k-bounded graph every message can be received
// and everyone who waits can receive (k-safe), then the same holds without a bound. Here only directed systems are taken.

import type { Configuration, Semantics } from './configuration.ts';
import type { Explored } from './search.ts';

export interface Compatibility {
  readonly exhaustive: boolean;
  /** A configuration from which some message can never be received, or some machine that waits never receives; null: there is none. */
  readonly unsafe: { readonly configuration: number; readonly why: string } | null;
}

/** Of a complete graph: of all configurations, or of those in which queues hold at most `limit`. */
export function compatibility(semantics: Semantics, graph: Explored, limit: number): Compatibility {
  return {
    exhaustive: isExhaustive(semantics, graph, limit),
    unsafe: leftMessage(semantics, graph) ?? leftWaiter(semantics, graph),
  };
}

/** The configurations from which some configuration of the set can be reached, by steps that are allowed. */
function canReach(
  graph: Explored,
  goals: Iterable<number>,
  allowed: (machine: number) => boolean,
): Uint8Array {
  const before: number[][] = graph.configurations.map(() => []);
  for (const [from, edges] of graph.edges.entries())
    for (const { step, to } of edges) if (allowed(step.machine)) before[to]!.push(from);
  const reached = new Uint8Array(graph.configurations.length);
  const work = [...goals];
  for (const goal of work) reached[goal] = 1;
  for (let at = work.pop(); at !== undefined; at = work.pop())
    for (const from of before[at]!)
      if (reached[from] === 0) {
        reached[from] = 1;
        work.push(from);
      }
  return reached;
}

const where = (graph: Explored, test: (configuration: Configuration, index: number) => boolean): number[] =>
  graph.configurations.flatMap((configuration, index) => (test(configuration, index) ? [index] : []));

/** A machine in a sending state can make each of its sends after steps of the others only. */
function isExhaustive(semantics: Semantics, graph: Explored, limit: number): boolean {
  return semantics.system.machines.every(({ moves }, machine) =>
    moves.every(({ kind, from, channel }) => {
      if (kind !== 'send') return true;
      const standing = where(graph, ({ states }) => states[machine] === from);
      const able = standing.filter((index) => graph.configurations[index]!.queues[channel]!.length < limit);
      const reached = canReach(graph, able, (other) => other !== machine);
      return standing.every((index) => reached[index] === 1);
    }),
  );
}

type Unsafe = Compatibility['unsafe'];

function leftMessage({ system }: Semantics, graph: Explored): Unsafe {
  for (const [channel, { name, messages }] of system.channels.entries())
    for (const [message, text] of messages.entries()) {
      const first = where(graph, ({ queues }) => queues[channel]![0] === message);
      if (first.length === 0) continue;
      const taken = where(graph, (_, index) =>
        graph.edges[index]!.some(({ step }) => {
          const move = system.machines[step.machine]!.moves[step.move]!;
          return move.kind === 'receive' && move.channel === channel && move.message === message;
        }),
      );
      const reached = canReach(graph, taken, () => true);
      const left = first.find((index) => reached[index] === 0);
      if (left !== undefined)
        return { configuration: left, why: `${text} in ${name} can never be received from here on` };
    }
  return null;
}

function leftWaiter(semantics: Semantics, graph: Explored): Unsafe {
  for (const [machine, { name, states }] of semantics.system.machines.entries())
    for (const [state, { name: standing }] of states.entries()) {
      if (!semantics.waits(machine, state)) continue;
      const waiting = where(graph, (configuration) => configuration.states[machine] === state);
      const moving = waiting.filter((index) =>
        graph.edges[index]!.some(({ step }) => step.machine === machine),
      );
      const reached = canReach(graph, moving, () => true);
      const left = waiting.find((index) => reached[index] === 0);
      if (left !== undefined)
        return { configuration: left, why: `${name} waits in ${standing} for ever from here on` };
    }
  return null;
}
