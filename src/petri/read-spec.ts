// Nets in the notation of MIST and QCover (`.spec`):
//
//   vars     x y z                     places
//   rules    x >= 1, y >= 2 ->         what a transition needs
//              x' = x - 1, z' = z + 1; what it changes
//   init     x = 1, y >= 1, z = 0      y: any number from 1 on; `z in [0, 3]`: up to 3; what is not named: any number
//   target   x >= 1, z >= 1            one marking a line that must not be covered
//   invariants …                       hints for other tools; not needed here
//
// `#` begins a comment. What is no Petri net (tests for zero, transfers) is refused, with the place.

import { TokenCursor } from '../source/cursor.ts';
import type { SourceFile, Span } from '../source/source.ts';
import { startOf } from '../source/source.ts';
import { MOST_TOKENS, type NetModel, type ReadNet, type Target } from './model.ts';
import type { PetriPlace, PetriTransition } from './net.ts';
import { Problems } from './problems.ts';

/** Is this text a net, and not a specification of C files? Its first word that is no comment is `vars`. */
export const isNetSpec = (text: string): boolean => /^(\s|#[^\n]*(\n|$))*vars\b/.test(text);

interface Token {
  readonly text: string;
  readonly kind: 'word' | 'number' | 'sign' | 'end';
  readonly span: Span;
  /** First on its line. */
  readonly first: boolean;
}

const SECTIONS: ReadonlySet<string> = new Set(['vars', 'rules', 'init', 'target', 'invariants']);

export function readSpec(file: SourceFile): ReadNet {
  const problems = new Problems(file);
  const model = new SpecReader(tokensOf(file, problems), problems, file.path).read();
  return { model: problems.failed ? null : model, diagnostics: problems.found };
}

function tokensOf(file: SourceFile, problems: Problems): Token[] {
  const tokens: Token[] = [];
  const pattern = /#[^\n]*|(\n)|[ \t\r\f]+|([A-Za-z_]\w*)|(\d+)|(->|>=|[=,;'+[\]-])|(.)/g;
  let first = true;
  for (const match of file.text.matchAll(pattern)) {
    const [text, newline, word, number, sign, other] = match;
    const span = { file, start: match.index, end: match.index + text.length };
    if (newline !== undefined) first = true;
    else if (other !== undefined) problems.error('SPW8001', span, `'${other}' does not belong into a net`);
    else if (word !== undefined || number !== undefined || sign !== undefined) {
      const kind = word !== undefined ? 'word' : number !== undefined ? 'number' : 'sign';
      tokens.push({ text, kind, span, first });
      first = false;
    }
  }
  const end = { file, start: Math.max(0, file.text.length - 1), end: file.text.length };
  tokens.push({ text: 'the end of the file', kind: 'end', span: end, first: true });
  return tokens;
}

interface Condition {
  readonly place: number;
  readonly least: number;
  /** Null: no upper limit. */
  readonly most: number | null;
  readonly span: Span;
}

/** Something is wrong that was reported; the reader goes on behind it. */
class Wrong extends Error {}

class SpecReader extends TokenCursor<Token> {
  private readonly problems: Problems;
  private readonly name: string;
  private readonly places: { name: string; span: Span }[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly rules: PetriTransition[] = [];
  private readonly arrivals: PetriTransition[] = [];
  private initial: number[] = [];
  private readonly targets: Target[] = [];
  private readonly parameters = new Set<number>();

  constructor(tokens: readonly Token[], problems: Problems, name: string) {
    super(tokens);
    this.problems = problems;
    this.name = name;
  }

  read(): NetModel | null {
    const seen = new Set<string>();
    while (this.token.kind !== 'end') {
      const section = this.next();
      if (!SECTIONS.has(section.text)) {
        this.problems.error(
          'SPW8002',
          section.span,
          `'${section.text}' stands where a section begins`,
          'sections are vars, rules, init, target, invariants',
        );
        return null;
      }
      if (seen.has(section.text) && section.text !== 'target')
        this.problems.error('SPW8003', section.span, `the section '${section.text}' is there twice`);
      seen.add(section.text);
      this.section(section.text);
    }
    for (const needed of ['vars', 'rules', 'init'])
      if (!seen.has(needed))
        this.problems.error('SPW8004', this.token.span, `the section '${needed}' is missing`);
    if (this.problems.failed) return null;
    this.beginAnyhow();
    const places: PetriPlace[] = this.places.map(({ name, span }, place) => ({
      name,
      initial: this.initial[place]!,
      at: startOf(span),
    }));
    const transitions = [...this.rules, ...this.arrivals];
    return {
      net: { name: this.name, places, transitions },
      // A target may stand before the initial values, and those may add places.
      targets: this.targets.map((target) => ({
        ...target,
        marking: places.map((_, place) => target.marking[place] ?? 0),
      })),
      parameters: this.parameters,
    };
  }

  private section(name: string): void {
    const isOver = (): boolean => this.token.kind === 'end' || SECTIONS.has(this.token.text);
    while (!isOver()) {
      try {
        if (name === 'vars') this.declare(this.next());
        else if (name === 'rules') this.rule();
        else if (name === 'init') this.initialValues();
        else if (name === 'target') this.target();
        else this.next();
      } catch (problem) {
        if (!(problem instanceof Wrong)) throw problem;
        // To the end of the rule or of the line.
        while (!isOver() && !(name === 'rules' ? this.tokens[this.at - 1]?.text === ';' : this.token.first))
          this.next();
      }
    }
  }

  private fail(code: `SPW${number}`, span: Span, message: string, help?: string): never {
    this.problems.error(code, span, message, help);
    throw new Wrong();
  }

  private expect(text: string, why: string): Token {
    const token = this.token;
    if (token.text !== text)
      this.fail('SPW8005', token.span, `'${text}' is expected here, not ${shown(token)}`, why);
    return this.next();
  }

  private declare(token: Token): void {
    if (token.kind !== 'word') this.fail('SPW8006', token.span, `${shown(token)} is no name of a place`);
    if (this.numbers.has(token.text)) this.fail('SPW8007', token.span, `'${token.text}' is declared twice`);
    this.numbers.set(token.text, this.places.length);
    this.places.push({ name: token.text, span: token.span });
  }

  private place(): { place: number; span: Span } {
    const token = this.next();
    const place = this.numbers.get(token.text);
    if (place === undefined)
      this.fail(
        'SPW8008',
        token.span,
        `${shown(token)} is not among the vars`,
        'declare it there, or mend the spelling',
      );
    return { place, span: token.span };
  }

  private count(): number {
    const token = this.next();
    if (token.kind !== 'number')
      this.fail('SPW8009', token.span, `a number is expected here, not ${shown(token)}`);
    const value = Number(token.text);
    if (value > MOST_TOKENS)
      this.fail('SPW8010', token.span, `${token.text} is too large`, `at most ${MOST_TOKENS}`);
    return value;
  }

  private condition(): Condition {
    const { place, span } = this.place();
    const sign = this.next();
    if (sign.text === '>=') return { place, least: this.count(), most: null, span };
    if (sign.text === '=') {
      const value = this.count();
      return { place, least: value, most: value, span };
    }
    if (sign.text !== 'in')
      this.fail('SPW8005', sign.span, `'>=', '=' or 'in' is expected here, not ${shown(sign)}`);
    this.expect('[', 'an interval is written [least, most]');
    const least = this.count();
    this.expect(',', 'an interval is written [least, most]');
    const most = this.count();
    this.expect(']', 'an interval is written [least, most]');
    if (most < least) this.fail('SPW8011', span, 'this interval is empty');
    return { place, least, most, span };
  }

  private conditions(): Condition[] {
    const list = [this.condition()];
    while (this.token.text === ',') {
      this.next();
      list.push(this.condition());
    }
    return list;
  }

  private rule(): void {
    const { span } = this.token;
    const always = this.token.text === 'true' ? this.next() : null;
    const needs = always === null ? this.conditions() : [];
    this.expect('->', 'a rule is: conditions -> changes ;');
    const change = new Map<number, number>();
    while (this.token.text !== ';') {
      this.change(change);
      if (this.token.text !== ';')
        this.expect(',', 'changes are separated by commas, and a rule ends with ;');
    }
    this.next();
    const take = new Map<number, number>();
    for (const { place, least, most, span: where } of needs) {
      if (most !== null)
        this.fail(
          'SPW8012',
          where,
          'a transition of a Petri net cannot test for an upper limit',
          'tests for zero make most questions undecidable; only >= is understood',
        );
      if (least > 0) take.set(place, Math.max(take.get(place) ?? 0, least));
    }
    const put = new Map<number, number>();
    for (const place of new Set([...take.keys(), ...change.keys()])) {
      const by = change.get(place) ?? 0;
      if (by < 0) take.set(place, Math.max(take.get(place) ?? 0, -by));
      const after = (take.get(place) ?? 0) + by;
      if (after > 0) put.set(place, after);
    }
    this.rules.push({ name: this.ruleName(take, put), take: arcs(take), put: arcs(put), at: startOf(span) });
  }

  private change(change: Map<number, number>): void {
    const { place, span } = this.place();
    this.expect("'", "a change is written x' = x + 1");
    this.expect('=', "a change is written x' = x + 1");
    const source = this.token;
    if (source.kind === 'number' || this.numbers.get(source.text) !== place)
      this.fail(
        'SPW8013',
        source.span,
        `${this.places[place]!.name} is given another value than its own, more or less a number`,
        'resets and transfers are no Petri net',
      );
    this.next();
    if (change.has(place)) this.fail('SPW8014', span, `${this.places[place]!.name} is changed twice`);
    let by = 0;
    while (this.token.text === '+' || this.token.text === '-') {
      const sign = this.next().text === '+' ? 1 : -1;
      if (this.token.kind === 'word')
        this.fail(
          'SPW8013',
          this.token.span,
          'tokens of another place are moved as a whole',
          'transfers are no Petri net',
        );
      by += sign * this.count();
    }
    change.set(place, by);
  }

  private ruleName(take: ReadonlyMap<number, number>, put: ReadonlyMap<number, number>): string {
    const side = (weights: ReadonlyMap<number, number>): string =>
      [...weights]
        .map(([place, weight]) =>
          weight === 1 ? this.places[place]!.name : `${weight} ${this.places[place]!.name}`,
        )
        .join(' + ') || 'nothing';
    return `${side(take)} → ${side(put)}`;
  }

  private initialValues(): void {
    for (const { place, least, most, span } of this.conditions()) {
      if (this.initial[place] !== undefined)
        this.fail('SPW8015', span, `the initial value of ${this.places[place]!.name} is given twice`);
      this.initial[place] = least;
      if (most !== least) this.begins(place, most === null ? null : most - least, span);
    }
  }

  /** What `init` does not name may begin with any number, as in MIST: no condition is given. */
  private beginAnyhow(): void {
    for (const [place, { span }] of [...this.places.entries()])
      if (this.initial[place] === undefined) {
        this.initial[place] = 0;
        this.begins(place, null, span);
      }
  }

  /** Any number from the least one on, or so many more at most: they arrive one by one. */
  private begins(place: number, more: number | null, span: Span): void {
    const name = `${this.places[place]!.name} begins with one more`;
    const take: PetriTransition['take'][number][] = [];
    if (more === null) this.parameters.add(place);
    else {
      const rest = this.places.push({ name: `${this.places[place]!.name} still to begin`, span }) - 1;
      this.initial[rest] = more;
      this.parameters.add(rest);
      take.push({ place: rest, weight: 1 });
    }
    this.arrivals.push({ name, take, put: [{ place, weight: 1 }], at: startOf(span), arrival: true });
  }

  private target(): void {
    const { span } = this.token;
    const conditions = this.conditions();
    const marking = this.places.map(() => 0);
    for (const { place, least, most, span: where } of conditions) {
      if (most !== null)
        this.fail(
          'SPW8016',
          where,
          'a target can only ask for at least so many tokens',
          'whether so many and no more are reached is another question; use >=, or leave the place out',
        );
      marking[place] = Math.max(marking[place]!, least);
    }
    this.targets.push({ name: `target${this.targets.length + 1}`, marking, span });
  }
}

const arcs = (weights: ReadonlyMap<number, number>): PetriTransition['take'] =>
  [...weights].map(([place, weight]) => ({ place, weight }));

const shown = ({ kind, text }: Token): string => (kind === 'end' ? text : `'${text}'`);
