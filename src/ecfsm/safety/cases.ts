// The case splits of the induction on the channels' side: how can the words of a disjunct's language look, as far as it matters?
//
// [QLive] 3.4 splits by first and last message. Here a case of a channel is: which of the target languages contain the word after the
// action, and how many messages (counted up to `cap`) of each set of types the part of the word has that the action leaves alone.
// Found by walking the product of the automata with the counters, so the cases are exactly those that occur: none is missed, none is
// made up. Each case keeps a shortest word.

import type { Language } from '../language/language.ts';
import { aliveStates } from '../language/language.ts';

export type Operation =
  | { readonly kind: 'none' }
  /** `look`: the head stays; the word without it is what is counted. */
  | { readonly kind: 'send' | 'receive' | 'look'; readonly type: number };

export interface ChannelCase {
  /** Per set of types: messages in the untouched part, `cap` standing for that many or more. */
  readonly counts: readonly number[];
  /** Per target language: does it contain the word after the action? */
  readonly members: readonly boolean[];
  /** A shortest untouched part. */
  readonly word: readonly number[];
}

interface Node {
  readonly source: number;
  readonly targets: readonly number[];
  readonly counts: readonly number[];
  readonly word: readonly number[];
}

/** Products of automata can explode; past this many states nothing is claimed about the step. */
const MAX_NODES = 50_000;

export class CaseFinder {
  private readonly timeLeft: () => boolean;
  private readonly known = new Map<string, readonly ChannelCase[] | null>();

  constructor(timeLeft: () => boolean = () => true) {
    this.timeLeft = timeLeft;
  }

  /** Null when there are too many to look at, or no time is left. Equal targets share one automaton. */
  cases(
    source: Language,
    operation: Operation,
    targets: readonly Language[],
    typeSets: readonly (readonly number[])[],
    cap: number,
  ): readonly ChannelCase[] | null {
    const different = [...new Map(targets.map((target) => [target.key, target])).values()];
    const found = this.remembered(source, operation, different, typeSets, cap);
    if (found === null || different.length === targets.length) return found;
    const place = targets.map((target) => different.findIndex((one) => one.key === target.key));
    return found.map((one) => ({ ...one, members: place.map((index) => one.members[index]!) }));
  }

  private remembered(
    source: Language,
    operation: Operation,
    targets: readonly Language[],
    typeSets: readonly (readonly number[])[],
    cap: number,
  ): readonly ChannelCase[] | null {
    const key = [
      source.key,
      operation.kind === 'none' ? '' : `${operation.kind}${operation.type}`,
      targets.map((target) => target.key).join('&'),
      typeSets.map((types) => types.join(',')).join('&'),
      cap,
    ].join('#');
    let found = this.known.get(key);
    if (found === undefined) {
      found = this.find(source, operation, targets, typeSets, cap);
      this.known.set(key, found);
    }
    return found;
  }

  private find(
    source: Language,
    operation: Operation,
    targets: readonly Language[],
    typeSets: readonly (readonly number[])[],
    cap: number,
  ): ChannelCase[] | null {
    const alive = aliveStates(source);
    const start: Node = {
      source: takesHead(operation) ? source.next[0]![operation.type]! : 0,
      targets: targets.map(({ next }) => (operation.kind === 'look' ? next[0]![operation.type]! : 0)),
      counts: typeSets.map(() => 0),
      word: [],
    };
    const cases = new Map<string, ChannelCase>();
    const seen = new Set<string>();
    const queue: Node[] = [];
    const visit = (node: Node): void => {
      const key = `${node.source}|${node.targets.join(',')}|${node.counts.join(',')}`;
      if (!alive[node.source] || seen.has(key)) return;
      seen.add(key);
      queue.push(node);
    };
    visit(start);
    for (let i = 0; i < queue.length; i++) {
      if (queue.length > MAX_NODES || (i % 256 === 255 && !this.timeLeft())) return null;
      const node = queue[i]!;
      if (source.accepting[node.source]) {
        const members = node.targets.map((state, j) => accepts(targets[j]!, state, operation));
        const key = `${node.counts.join(',')}|${members.join(',')}`;
        if (!cases.has(key)) cases.set(key, { counts: node.counts, members, word: node.word });
      }
      source.next[node.source]!.forEach((next, type) => {
        visit({
          source: next,
          targets: node.targets.map((state, j) => targets[j]!.next[state]![type]!),
          counts: node.counts.map((count, k) =>
            typeSets[k]!.includes(type) ? Math.min(cap, count + 1) : count,
          ),
          word: [...node.word, type],
        });
      });
    }
    return [...cases.values()];
  }
}

const takesHead = (operation: Operation): operation is Exclude<Operation, { kind: 'none' }> =>
  operation.kind === 'receive' || operation.kind === 'look';

const accepts = (target: Language, state: number, operation: Operation): boolean =>
  target.accepting[operation.kind === 'send' ? target.next[state]![operation.type]! : state]!;
