// Formulas to disjuncts: alternatives are multiplied out (the paper's macro processor), names looked up, languages built.

import type { Diagnostic } from '../../source/diagnostic.ts';
import { problem } from '../codes.ts';
import type { Language } from '../language/language.ts';
import { languageOf } from '../language/language.ts';
import type { Regex } from '../language/regex.ts';
import { EMPTY } from '../language/regex.ts';
import type { Comparison, Disjunct, Protocol, SequenceAtom, StateVariable } from '../model.ts';
import { channelName } from '../model.ts';
import type { DisjunctNode, FormulaNode, Name } from '../syntax/ast.ts';
import { toComparisons } from './linear.ts';
import { indexOf, sideOf } from './names.ts';
import { TermResolver } from './terms.ts';

export const MAX_DISJUNCTS = 20_000;

/** A conjunction on its way to a disjunct. */
interface Piece {
  readonly labels: readonly string[];
  readonly control: readonly { readonly side: number; readonly state: number }[];
  readonly channels: readonly { readonly channel: number; readonly regex: Regex }[];
  readonly predicates: readonly SequenceAtom[];
  readonly relations: readonly Comparison<StateVariable>[];
}

const NOTHING: Piece = { labels: [], control: [], channels: [], predicates: [], relations: [] };

export class FormulaResolver {
  private readonly protocol: Protocol;
  private readonly diagnostics: Diagnostic[];
  private readonly terms: TermResolver;
  private readonly languages = new Map<string, Language | null>();

  constructor(protocol: Protocol, diagnostics: Diagnostic[]) {
    this.protocol = protocol;
    this.diagnostics = diagnostics;
    this.terms = new TermResolver(protocol, diagnostics);
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
    const control = machines.map((machine, side) => {
      const states = piece.control.filter((atom) => atom.side === side);
      if (states.length !== 1)
        this.report('SPW4202', node.name, `'${name}' must say once in which state ${machine.name} is`, {
          help: `add '${machine.name}@STATE'`,
        });
      return states[0]?.state ?? 0;
    });
    const shapes = this.protocol.channels.map((_, channel) => {
      const shown = channelName(this.protocol, channel);
      const found = piece.channels.filter((atom) => atom.channel === channel);
      if (found.length !== 1)
        this.report('SPW4203', node.name, `'${name}' must say once what is in the channel ${shown}`, {
          help: `add '${shown}: e' if it is empty`,
        });
      return found[0]?.regex ?? EMPTY;
    });
    const languages = shapes.map((shape, channel) => this.language(shape, channel, node.name));
    if (languages.includes(null)) return [];
    return [
      {
        name,
        control,
        shapes,
        languages: languages as Language[],
        predicates: piece.predicates,
        relations: piece.relations,
        span: node.span,
      },
    ];
  }

  private language(regex: Regex, channel: number, at: Name): Language | null {
    const key = `${channel} ${regex.key}`;
    if (!this.languages.has(key)) {
      const language = languageOf(regex, this.protocol.alphabets[channel]!.length);
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
        const channel = this.terms.channel(node.from, node.to);
        const regex = channel === null ? null : this.terms.regex(node.regex, channel);
        if (channel === null || regex === null) return [];
        return [{ ...NOTHING, channels: [{ channel, regex }] }];
      }
      case 'predicate': {
        const of = this.terms.subsequence(node.argument);
        const known = this.terms.applied(node.name, 'predicate');
        if (of === null || !known) return [];
        return [{ ...NOTHING, predicates: [{ predicate: node.name.text, of }] }];
      }
      case 'compare': {
        const alternatives = toComparisons(node.comparison, this.terms.scope());
        return (alternatives ?? []).flatMap((comparison, i) => {
          const relations = this.terms.withoutEvery(comparison, node.comparison.left);
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
    const { states } = this.protocol.machines[side]!;
    return node.states.flatMap((name) => {
      const state = indexOf(name, states, 'state', 'SPW4103', this.diagnostics);
      if (state === null) return [];
      const labels = node.states.length > 1 ? [name.text] : [];
      return [{ ...NOTHING, labels, control: [{ side, state }] }];
    });
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
