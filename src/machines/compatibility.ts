// Safety of systems whose queues may grow for ever: k-multiparty compatibility (Lange and Yoshida: *Verifying asynchronous interactions via
// communicating session automata*, 2019), with k found, not given.
//
// For machines that are deterministic and have no state that both sends and receives, Theorem 1 there says: if the bound decides nothing (k-OBI,
// k-IBI below; always so where every state deals with one partner only), if every send that a machine is ready for becomes possible without its own
// doing while queues hold at most k (k-exhaustive), and if in the k-bounded graph every message can be received and everyone who waits can
// receive (k-safe), then the same holds without a bound. Of the input conditions the strong one is asked: no continuation at all may send the other message.

import type { Configuration, Semantics, Step } from './configuration.ts';
import type { Explored } from './search.ts';
import type { Move } from './system.ts';

export interface Compatibility {
  /** k-OBI: where one send of a state is possible, all of them are. */
  readonly outputIndependent: boolean;
  /** k-IBI: where something can be received from one partner, nothing that the state could receive from another is there or will ever be sent. */
  readonly inputIndependent: boolean;
  readonly exhaustive: boolean;
  /** A configuration from which some message can never be received, or some machine that waits never receives; null: there is none. */
  readonly unsafe: { readonly configuration: number; readonly why: string } | null;
}

/** Of a complete graph: of all configurations, or of those in which queues hold at most `limit`. */
export function compatibility(semantics: Semantics, graph: Explored, limit: number): Compatibility {
  return {
    outputIndependent: isOutputIndependent(semantics, graph, limit),
    inputIndependent: isInputIndependent(semantics, graph),
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

/** The moves of the machine where it stands. */
const movesOf = ({ system, leaving }: Semantics, { states }: Configuration, machine: number): Move[] =>
  leaving[machine]![states[machine]!]!.map((move) => system.machines[machine]!.moves[move]!);

function isOutputIndependent(semantics: Semantics, graph: Explored, limit: number): boolean {
  return graph.configurations.every((configuration) =>
    semantics.system.machines.every((_, machine) => {
      const sends = movesOf(semantics, configuration, machine).filter(({ kind }) => kind === 'send');
      const able = sends.filter(({ channel }) => configuration.queues[channel]!.length < limit);
      return able.length === 0 || able.length === sends.length;
    }),
  );
}

function isInputIndependent(semantics: Semantics, graph: Explored): boolean {
  const { machines } = semantics.system;
  const leadsToSend = new Map<string, Uint8Array>();
  /** Can this message be sent into this channel from the configuration on? */
  const willBeSent = (index: number, { channel, message }: Move): boolean => {
    const key = `${channel} ${message}`;
    const isIt = ({ machine, move }: Step): boolean => {
      const { kind, channel: to, message: sent } = machines[machine]!.moves[move]!;
      return kind === 'send' && to === channel && sent === message;
    };
    const goals = (): number[] => where(graph, (_, at) => graph.edges[at]!.some(({ step }) => isIt(step)));
    const known = leadsToSend.get(key) ?? canReach(graph, goals(), () => true);
    leadsToSend.set(key, known);
    return known[index] === 1;
  };
  return graph.configurations.every((configuration, index) =>
    machines.every((_, machine) => {
      const receives = movesOf(semantics, configuration, machine).filter(({ kind }) => kind === 'receive');
      const isThere = ({ channel, message }: Move): boolean => configuration.queues[channel]![0] === message;
      return receives.every(
        (able) =>
          !isThere(able) ||
          receives.every(
            (other) => other.channel === able.channel || !(isThere(other) || willBeSent(index, other)),
          ),
      );
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
