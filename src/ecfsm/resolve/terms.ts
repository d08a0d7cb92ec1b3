// What atoms are made of: channels, regular expressions, sequences, and linear terms over registers and functions of sequences.

import type { Diagnostic } from '../../source/diagnostic.ts';
import { suggest } from '../../source/diagnostic.ts';
import { problem } from '../codes.ts';
import type { Regex } from '../language/regex.ts';
import { choice, EMPTY, letter, plus, sequence, star } from '../language/regex.ts';
import type { Comparison, Linear, Protocol, StateVariable, Subsequence } from '../model.ts';
import { channelName, keyOf } from '../model.ts';
import type { Expression, Name, RegexNode, SequenceArgument, TypeNode } from '../syntax/ast.ts';
import { channelAt } from './channels.ts';
import type { Resolution } from './linear.ts';
import { indexOf, lookupRegister, sideOf } from './names.ts';

export const sameVariable = (a: StateVariable, b: StateVariable): boolean =>
  a.kind === 'register'
    ? b.kind === 'register' && a.side === b.side && a.index === b.index
    : b.kind === 'function' && a.name === b.name && keyOf(a.of) === keyOf(b.of);

export class TermResolver {
  private readonly protocol: Protocol;
  private readonly diagnostics: Diagnostic[];

  constructor(protocol: Protocol, diagnostics: Diagnostic[]) {
    this.protocol = protocol;
    this.diagnostics = diagnostics;
  }

  channel(from: Name, to: Name): number | null {
    const source = sideOf(from, this.protocol.machines, this.diagnostics);
    const target = sideOf(to, this.protocol.machines, this.diagnostics);
    if (source === null || target === null) return null;
    const channel = channelAt(this.protocol.channels, source, target);
    if (channel >= 0) return channel;
    this.diagnostics.push(
      source === target
        ? problem('SPW4106', from.span, `there is no channel from '${from.text}' to itself`)
        : problem('SPW4106', from.span, `there is no channel ${from.text}->${to.text}`, {
            help: `there are ${this.protocol.channels.map((_, one) => channelName(this.protocol, one)).join(', ')}`,
          }),
    );
    return null;
  }

  regex(node: RegexNode, channel: number): Regex | null {
    switch (node.kind) {
      case 'empty':
        return EMPTY;
      case 'type': {
        const index = indexOf(
          node.name,
          this.protocol.alphabets[channel]!,
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

  subsequence(argument: SequenceArgument): Subsequence | null {
    if (argument.kind === 'sequence') {
      this.diagnostics.push(
        problem('SPW4106', argument.span, `'${argument.name.text}' is not a channel`, {
          help: `a channel is written ${channelName(this.protocol, 0)}`,
        }),
      );
      return null;
    }
    const channel = this.channel(argument.from, argument.to);
    if (channel === null) return null;
    const alphabet = this.protocol.alphabets[channel]!;
    if (argument.types === null) {
      const types = alphabet.map((_, i) => i);
      return { channel, types, fields: types.map(() => 0) };
    }
    const parts = argument.types.map((node) => this.typeAndField(node, channel));
    if (parts.includes(null)) return null;
    const known = new Map(parts.map((part) => [part!.type, part!.field]));
    if (parts.some((part) => known.get(part!.type) !== part!.field)) {
      this.diagnostics.push(problem('SPW4120', argument.span, 'two fields of one type make no sequence'));
      return null;
    }
    const types = [...known.keys()].sort((a, b) => a - b);
    return { channel, types, fields: types.map((type) => known.get(type)!) };
  }

  private typeAndField(
    { type: name, field: word }: TypeNode,
    channel: number,
  ): { readonly type: number; readonly field: number } | null {
    const { alphabets, fields } = this.protocol;
    const type = indexOf(name, alphabets[channel]!, 'message type', 'SPW4105', this.diagnostics);
    if (type === null) return null;
    if (word === null) return { type, field: 0 };
    const names = fields[channel]![type]!;
    const field = /^\d/.test(word.text) ? Number(word.text) - 1 : names.indexOf(word.text);
    if (field >= 0 && field < names.length) return { type, field };
    this.diagnostics.push(
      problem('SPW4120', word.span, `'${name.text}' has no field '${word.text}'`, {
        help: `its fields are ${names.map((one, i) => `${one} (${i + 1})`).join(', ')}`,
      }),
    );
    return null;
  }

  applied(name: Name, kind: 'predicate' | 'function'): boolean {
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

  scope(): Resolution<StateVariable> {
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
  withoutEvery(comparison: Comparison<StateVariable>, at: Expression): Comparison<StateVariable>[] | null {
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
