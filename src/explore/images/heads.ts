// Queues that grow without limit, as their first messages and the set of what follows: the contents u·S*, where u is a word and S a set of
// messages (the simplest of the simple regular expressions of Abdulla, Collomb-Annichini, Bouajjani, Jonsson, "Using forward reachability
// analysis for verification of lossy channel systems", FMSD 25, 2004; there for lossy channels, here for any).
//
// The abstract system has at least the model's runs, so where its states come to an end, the greatest lengths of the *other* queues there
// are bounds of the model's, whatever the abstracted ones do. That is how a queue is proved beside one that floods.
//
// What keeps it sound: u has fewer than k messages only where the contents are u (S* is taken apart when one of u is used up: nothing, or one
// message and S* again), so that the first message, emptiness and comparisons of the length with numbers below k are exact, and with them
// everything that can look at a queue but other uses of `len`, `??` and `!!`: a queue that those touch is not abstracted, nor one that a
// `d_step` receives from (it could use up several messages in one step), nor a channel that lives and dies with its process. Steps are taken
// statement by statement, so that no step takes two messages.

import type { Budget } from '../../base/budget.ts';
import type { Expression, LValue } from '../../process/expression.ts';
import type { Statement } from '../../process/program.ts';
import { walkExpression, walkInitialiser, walkStatement } from '../../process/walk.ts';
import type { Model } from '../compile.ts';
import { fixedChannels } from '../layout.ts';
import { queueMaxima } from '../maxima.ts';
import { append, channelCount, cutAfter, isBuffered, lengthOf, letterAt } from './contents.ts';
import { forgetter } from './forget.ts';
import { type ImageOutcome, type Mapping, searchImages } from './image-search.ts';

export interface HeadsOptions {
  /** Names of the queues to abstract. */
  readonly queues: ReadonlySet<string>;
  /** How many messages of each are kept in order. */
  readonly kept: number;
  /** A queue that is not abstracted and gets longer than this ends the search: it seems to grow, too. */
  readonly tooLong: number;
}

export interface HeadsOutcome {
  readonly complete: boolean;
  /** By queue name: the greatest length; bounds of the queues that were not abstracted, when complete. */
  readonly maxima: ReadonlyMap<string, number>;
  /** The queue that got too long. */
  readonly grew: string | null;
  readonly states: number;
  readonly transitions: number;
}

export function searchByHeads(model: Model, options: HeadsOptions, budget: Budget): HeadsOutcome {
  const mapping = new Heads(model, options);
  const outcome: ImageOutcome = searchImages(model, mapping, budget, () => mapping.grew !== null);
  const { complete, states, transitions } = outcome;
  return {
    complete: complete && mapping.grew === null,
    maxima: queueMaxima(model),
    grew: mapping.grew,
    states,
    transitions,
  };
}

class Heads implements Mapping {
  readonly micro = true;
  readonly extras: number;
  grew: string | null = null;
  private readonly abstracted: readonly number[];
  /** Beside each state: by abstracted channel, the number of its set; 0: there is no tail. */
  private sets: readonly number[] = [];
  private lengths: readonly number[] = [];
  private readonly known: (readonly string[])[] = [[]];
  private readonly numbers = new Map<string, number>([['', 0]]);
  private readonly model: Model;
  private readonly options: HeadsOptions;
  private readonly forget: () => void;

  constructor(model: Model, options: HeadsOptions) {
    this.model = model;
    this.options = options;
    this.forget = forgetter(model);
    this.abstracted = model.layout.globalChannels.flatMap(({ name }, channel) =>
      options.queues.has(model.layout.queueNames[name]!.name) ? [channel] : [],
    );
    this.extras = this.abstracted.length;
  }

  before(extras: readonly number[]): void {
    this.sets = extras;
    this.lengths = this.abstracted.map((channel) => lengthOf(this.model, channel));
  }

  image(emit: (extras: readonly number[], mark: number) => void): void {
    this.noteLong();
    this.forget();
    const sets = [...this.sets];
    const usedUp: number[] = [];
    this.abstracted.forEach((channel, i) => {
      const now = lengthOf(this.model, channel);
      const fromHere = sets[i]! > 0 ? Math.min(this.lengths[i]!, now) : this.options.kept;
      // A tail: what was sent in this step stands behind it. No tail yet: it begins where there are too many to keep.
      if (now > fromHere) {
        const letters = Array.from({ length: now - fromHere }, (_, k) =>
          letterAt(this.model, channel, fromHere + k),
        );
        sets[i] = this.numberOf([...this.known[sets[i]!]!, ...letters]);
        cutAfter(this.model, channel, fromHere);
      }
      if (sets[i]! > 0 && lengthOf(this.model, channel) < this.options.kept) usedUp.push(i);
    });
    this.takeApart(usedUp, sets, emit);
  }

  /** Nothing was left, or each message of the set comes next: for every tail with too few messages before it. */
  private takeApart(
    usedUp: readonly number[],
    sets: readonly number[],
    emit: (extras: readonly number[], mark: number) => void,
  ): void {
    const [i, ...others] = usedUp;
    if (i === undefined) {
      emit(sets, 0);
      return;
    }
    const channel = this.abstracted[i]!;
    const length = lengthOf(this.model, channel);
    this.takeApart(others, sets.with(i, 0), emit);
    const left = length + 1 < this.options.kept ? usedUp : others;
    for (const letter of this.known[sets[i]!]!) {
      cutAfter(this.model, channel, length);
      append(this.model, channel, letter);
      this.takeApart(left, sets, emit);
    }
    cutAfter(this.model, channel, length);
  }

  private numberOf(letters: readonly string[]): number {
    const set = [...new Set(letters)].sort();
    const key = set.join(';');
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.known.push(set);
    this.numbers.set(key, this.known.length - 1);
    return this.known.length - 1;
  }

  private noteLong(): void {
    const { layout, machine } = this.model;
    for (let channel = 0; channel < channelCount(this.model); channel++) {
      const { name } = layout.queueNames[machine.nameOfChannel[channel]!]!;
      if (
        isBuffered(this.model, channel) &&
        !this.abstracted.includes(channel) &&
        lengthOf(this.model, channel) > this.options.tooLong
      )
        this.grew ??= name;
    }
  }
}

/**
 * The queues that can be abstracted, with the number of messages that must be kept for it: global ones that nothing looks at but by their
 * first message, by emptiness, and by comparing their length with constants.
 */
export function abstractable(model: Model): Map<string, number> {
  const { layout, program } = model;
  const kept = new Map(layout.globalChannels.map(({ name }) => [layout.queueNames[name]!.name, 1]));
  const strike = (cell: LValue): void => {
    for (const name of namesOf(model, cell)) kept.delete(name);
  };
  const keep = (cell: LValue, count: number): void => {
    for (const name of namesOf(model, cell))
      if (kept.has(name)) kept.set(name, Math.max(kept.get(name)!, count));
  };
  const compared = new Set<Expression>();
  const look = (inDstep: boolean) => (expression: Expression) => {
    if (expression.kind === 'binary')
      for (const [side, other] of [
        [expression.left, expression.right],
        [expression.right, expression.left],
      ] as const)
        if (isLength(side) && COMPARISONS.has(expression.operator) && other.kind === 'constant') {
          compared.add(side);
          keep(side.channel, other.value + 1);
        }
    if (isLength(expression) && !compared.has(expression)) strike(expression.channel);
    if (expression.kind === 'poll' && (expression.random || inDstep)) strike(expression.channel);
    if (expression.kind === 'channel-query' && inDstep) strike(expression.channel);
  };
  const visit = (statement: Statement, inDstep: boolean): void => {
    if (statement.kind === 'dstep') {
      for (const edge of statement.body.edges) visit(edge.statement, true);
      return;
    }
    walkStatement(statement, { expression: look(inDstep) });
    if (statement.kind === 'send' && statement.sorted) strike(statement.channel);
    if (statement.kind === 'receive' && (statement.random || inDstep)) strike(statement.channel);
  };
  for (const { initial } of program.variables) walkInitialiser(initial, { expression: look(true) });
  for (const { edges, provided } of program.proctypes) {
    if (provided !== null) walkExpression(provided, { expression: look(false) });
    for (const { statement } of edges) visit(statement, false);
  }
  for (const [name, count] of kept) if (count > MOST_KEPT) kept.delete(name);
  return kept;
}

/** As many as there is always room for beyond what a queue holds (code-packing.ts). */
const MOST_KEPT = 4;
const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);

const isLength = (expression: Expression): expression is Expression & { kind: 'channel-query' } =>
  expression.kind === 'channel-query' && expression.query === 'len';

/** Where it is not known which channel is meant, it may be any. */
function namesOf({ layout, features, program }: Model, cell: LValue): string[] {
  const variable = program.variables[cell.variable]!;
  const all = layout.queueNames.map(({ name }) => name);
  if (fixedChannels(layout, features, variable) === null) return all;
  return layout.queueNames.filter(({ site }) => site.variable === variable.id).map(({ name }) => name);
}
