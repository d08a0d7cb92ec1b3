// Formulas to disjuncts: alternatives are multiplied out (the paper's macro processor), names looked up, languages built.

import type { Diagnostic } from '../../source/diagnostic.ts';
import { suggest } from '../../source/diagnostic.ts';
import { problem } from '../codes.ts';
import type { Language } from '../language/language.ts';
import { languageOf } from '../language/language.ts';
import type { Regex } from '../language/regex.ts';
import { choice, EMPTY, letter, plus, sequence, star } from '../language/regex.ts';
import type {
  Comparison,
  Disjunct,
  Linear,
  Protocol,
  SequenceAtom,
  Side,
  StateVariable,
  Subsequence,
} from '../model.ts';
import { keyOf, other, SIDES } from '../model.ts';
import type {
  DisjunctNode,
  Expression,
  FormulaNode,
  Name,
  RegexNode,
  SequenceArgument,
} from '../syntax/ast.ts';
import type { Scope } from './linear.ts';
import { toComparisons } from './linear.ts';
import { indexOf, lookupRegister, sideOf } from './machines.ts';

export const MAX_DISJUNCTS = 20_000;

/** A conjunction on its way to a disjunct. */
interface Piece {
  readonly labels: readonly string[];
  readonly control: readonly { readonly side: Side; readonly state: number }[];
  readonly channels: readonly { readonly channel: Side; readonly regex: Regex }[];
  readonly predicates: readonly SequenceAtom[];
  readonly relations: readonly Comparison<StateVariable>[];
}

const NOTHING: Piece = { labels: [], control: [], channels: [], predicates: [], relations: [] };

export const sameVariable = (a: StateVariable, b: StateVariable): boolean =>
  a.kind === 'register'
    ? b.kind === 'register' && a.side === b.side && a.index === b.index
    : b.kind === 'function' && a.name === b.name && keyOf(a.of) === keyOf(b.of);

export class FormulaResolver {
  private readonly protocol: Protocol;
  private readonly diagnostics: Diagnostic[];
  private readonly languages = new Map<string, Language | null>();

  constructor(protocol: Protocol, diagnostics: Diagnostic[]) {
    this.protocol = protocol;
    this.diagnostics = diagnostics;
  }

  disjuncts(node: DisjunctNode): Disjunct[] {
    const before = this.diagnostics.length;
    const pieces = this.pieces(node.formula);
    if (this.diagnostics.length > before) return [];
    if (pieces.length > MAX_DISJUNCTS) {
      this.diagnostics.push(
        problem('SPW4204', node.name.span, `'${node.name.text}' unfolds to ${pieces.length} disjuncts`),
      );
      return [];
    }
    return pieces.flatMap((piece) => this.disjunct(node, piece));
  }

  private disjunct(node: DisjunctNode, piece: Piece): Disjunct[] {
    const name = [node.name.text, ...piece.labels].join('.');
    const { machines } = this.protocol;
    const control: number[] = [];
    const shapes: Regex[] = [];
    for (const side of SIDES) {
      const states = piece.control.filter((atom) => atom.side === side);
      if (states.length !== 1)
        this.report(
          'SPW4202',
          node.name,
          `'${name}' must say once in which state ${machines[side].name} is`,
          {
            help: `add '${machines[side].name}@STATE'`,
          },
        );
      control.push(states[0]?.state ?? 0);
    }
    for (const channel of SIDES) {
      const shown = `${machines[channel].name}->${machines[other(channel)].name}`;
      const found = piece.channels.filter((atom) => atom.channel === channel);
      if (found.length !== 1)
        this.report('SPW4203', node.name, `'${name}' must say once what is in the channel ${shown}`, {
          help: `add '${shown}: e' if it is empty`,
        });
      shapes.push(found[0]?.regex ?? EMPTY);
    }
    const languages = SIDES.map((channel) => this.language(shapes[channel]!, channel, node.name));
    if (languages.includes(null)) return [];
    return [
      {
        name,
        control: [control[0]!, control[1]!],
        shapes: [shapes[0]!, shapes[1]!],
        languages: [languages[0]!, languages[1]!],
        predicates: piece.predicates,
        relations: piece.relations,
        span: node.span,
      },
    ];
  }

  private language(regex: Regex, channel: Side, at: Name): Language | null {
    const key = `${channel} ${regex.key}`;
    if (!this.languages.has(key)) {
      const language = languageOf(regex, this.protocol.alphabets[channel].length);
      if (language === null) this.report('SPW4207', at, 'this regular expression needs too many states');
      this.languages.set(key, language);
    }
    return this.languages.get(key)!;
  }

  private report(
    code: 'SPW4202' | 'SPW4203' | 'SPW4207',
    at: Name,
    message: string,
    more: { help?: string } = {},
  ): void {
    this.diagnostics.push(problem(code, at.span, message, more));
  }

  private pieces(node: FormulaNode): Piece[] {
    switch (node.kind) {
      case 'and':
        return node.parts.reduce<Piece[]>(
          (soFar, part) => product(soFar, this.pieces(part), () => this.tooMany(part)),
          [NOTHING],
        );
      case 'or':
        return node.parts.flatMap((part, i) =>
          this.pieces(part).map((piece) =>
            part.kind === 'label' ? piece : { ...piece, labels: [`${i + 1}`, ...piece.labels] },
          ),
        );
      case 'label':
        return this.pieces(node.body).map((piece) => ({
          ...piece,
          labels: [node.name.text, ...piece.labels],
        }));
      case 'control':
        return this.control(node);
      case 'channel': {
        const channel = this.channel(node.from, node.to);
        const regex = channel === null ? null : this.regex(node.regex, channel);
        if (channel === null || regex === null) return [];
        return [{ ...NOTHING, channels: [{ channel, regex }] }];
      }
      case 'predicate': {
        const of = this.subsequence(node.argument);
        const known = this.applied(node.name, 'predicate');
        if (of === null || !known) return [];
        return [{ ...NOTHING, predicates: [{ predicate: node.name.text, of }] }];
      }
      case 'compare': {
        const alternatives = toComparisons(node.comparison, this.scope());
        return (alternatives ?? []).flatMap((comparison, i) => {
          const relations = this.withoutEvery(comparison, node.comparison.left);
          const labels = alternatives!.length > 1 ? [i === 0 ? 'less' : 'more'] : [];
          return relations === null ? [] : [{ ...NOTHING, labels, relations }];
        });
      }
    }
  }

  private tooMany(node: FormulaNode): void {
    this.diagnostics.push(
      problem('SPW4204', node.span, `this unfolds to more than ${MAX_DISJUNCTS} disjuncts`),
    );
  }

  private control(node: FormulaNode & { kind: 'control' }): Piece[] {
    const side = sideOf(node.machine, this.protocol.machines, this.diagnostics);
    if (side === null) return [];
    const { states } = this.protocol.machines[side];
    return node.states.flatMap((name) => {
      const state = indexOf(name, states, 'state', 'SPW4103', this.diagnostics);
      if (state === null) return [];
      const labels = node.states.length > 1 ? [name.text] : [];
      return [{ ...NOTHING, labels, control: [{ side, state }] }];
    });
  }

  private channel(from: Name, to: Name): Side | null {
    const channel = sideOf(from, this.protocol.machines, this.diagnostics);
    const target = sideOf(to, this.protocol.machines, this.diagnostics);
    if (channel === null || target === null) return null;
    if (target !== channel) return channel;
    this.diagnostics.push(problem('SPW4106', from.span, `there is no channel from '${from.text}' to itself`));
    return null;
  }

  private regex(node: RegexNode, channel: Side): Regex | null {
    switch (node.kind) {
      case 'empty':
        return EMPTY;
      case 'type': {
        const index = indexOf(
          node.name,
          this.protocol.alphabets[channel],
          'message type',
          'SPW4105',
          this.diagnostics,
        );
        return index === null ? null : letter(index);
      }
      case 'star':
      case 'plus':
      case 'optional': {
        const body = this.regex(node.body, channel);
        if (body === null) return null;
        return node.kind === 'star' ? star(body) : node.kind === 'plus' ? plus(body) : choice([EMPTY, body]);
      }
      case 'sequence':
      case 'choice': {
        const parts = node.parts.map((part) => this.regex(part, channel));
        if (parts.includes(null)) return null;
        const all = parts as Regex[];
        return node.kind === 'choice'
          ? choice(all)
          : all.reduceRight((rest, first) => sequence(first, rest), EMPTY);
      }
    }
  }

  private subsequence(argument: SequenceArgument): Subsequence | null {
    if (argument.kind === 'sequence') {
      this.diagnostics.push(
        problem('SPW4106', argument.span, `'${argument.name.text}' is not a channel`, {
          help: `a channel is written ${this.protocol.machines[0].name}->${this.protocol.machines[1].name}`,
        }),
      );
      return null;
    }
    const channel = this.channel(argument.from, argument.to);
    if (channel === null) return null;
    const alphabet = this.protocol.alphabets[channel];
    if (argument.types === null) return { channel, types: alphabet.map((_, i) => i) };
    const types = argument.types.map((name) =>
      indexOf(name, alphabet, 'message type', 'SPW4105', this.diagnostics),
    );
    if (types.includes(null)) return null;
    return { channel, types: [...new Set(types as number[])].sort((a, b) => a - b) };
  }

  private applied(name: Name, kind: 'predicate' | 'function'): boolean {
    const { predicates, functions } = this.protocol.definitions;
    const [wanted, wrong] = kind === 'predicate' ? [predicates, functions] : [functions, predicates];
    if (wanted.has(name.text)) return true;
    const near = suggest(name.text, wanted.keys());
    this.diagnostics.push(
      wrong.has(name.text)
        ? problem('SPW4209', name.span, `'${name.text}' is not a ${kind}`)
        : problem('SPW4201', name.span, `there is no ${kind} '${name.text}'`, {
            help: near === null ? `known: ${[...wanted.keys()].join(', ')}` : `did you mean '${near}'?`,
          }),
    );
    return false;
  }

  private scope(): Scope<StateVariable> {
    return {
      diagnostics: this.diagnostics,
      same: sameVariable,
      lookup: (leaf) => this.lookup(leaf),
    };
  }

  private lookup(leaf: Expression & { kind: 'name' | 'register' | 'call' }): StateVariable | null {
    if (leaf.kind !== 'call') return lookupRegister(leaf, this.protocol.machines, null, this.diagnostics);
    const of = this.subsequence(leaf.argument);
    const known = leaf.name.text === 'every' || this.applied(leaf.name, 'function');
    return of === null || !known ? null : { kind: 'function', name: leaf.name.text, of };
  }

  /** `every(c) >= r` speaks of the least parameter, `every(c) <= r` of the greatest. */
  private withoutEvery(
    comparison: Comparison<StateVariable>,
    at: Expression,
  ): Comparison<StateVariable>[] | null {
    const isEvery = ([variable]: readonly [StateVariable, number]): boolean =>
      variable.kind === 'function' && variable.name === 'every';
    const count = comparison.sum.terms.filter(isEvery).length;
    if (count === 0) return [comparison];
    if (count > 1) {
      this.diagnostics.push(problem('SPW4108', at.span, "only one 'every' can stand in a relation"));
      return null;
    }
    const below = (sum: Linear<StateVariable>): Comparison<StateVariable> => ({
      relation: '<=',
      sum: {
        ...sum,
        terms: sum.terms.map((term) =>
          isEvery(term)
            ? [{ ...term[0], name: term[1] > 0 ? 'maxp' : 'minp' } as StateVariable, term[1]]
            : term,
        ),
      },
    });
    if (comparison.relation === '<=') return [below(comparison.sum)];
    const { terms, constant } = comparison.sum;
    const opposite = {
      terms: terms.map(([variable, factor]) => [variable, -factor] as const),
      constant: -constant,
    };
    return [below(comparison.sum), below(opposite)];
  }
}

function product(left: Piece[], right: Piece[], tooMany: () => void): Piece[] {
  if (left.length * right.length > MAX_DISJUNCTS) {
    tooMany();
    return [];
  }
  return left.flatMap((a) =>
    right.map((b) => ({
      labels: [...a.labels, ...b.labels],
      control: [...a.control, ...b.control],
      channels: [...a.channels, ...b.channels],
      predicates: [...a.predicates, ...b.predicates],
      relations: [...a.relations, ...b.relations],
    })),
  );
}
