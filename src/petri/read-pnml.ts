// Place/transition nets in PNML (ISO/IEC 15909-2), as the Model Checking Contest and most editors write them: places with an initial marking,
// transitions, arcs with an inscription, on any number of pages; reference nodes stand for what they refer to. High-level nets, other
// kinds of arcs and several nets in one file are refused, with the place.

import { SaxesParser } from 'saxes';
import type { SourceFile, Span } from '../source/source.ts';
import { startOf } from '../source/source.ts';
import { MOST_TOKENS, type ReadNet } from './model.ts';
import type { PetriNet, PetriTransition } from './net.ts';
import { Problems } from './problems.ts';

interface Node {
  readonly id: string;
  readonly kind: 'place' | 'transition';
  readonly span: Span;
  name: string;
  initial: number;
}

interface ArcElement {
  readonly source: string;
  readonly target: string;
  readonly span: Span;
  weight: number;
}

const LARGEST = 200_000_000;
/** How tools say that an arc is no plain one: `<type value="inhibitor"/>`, `<arc type="reset">`, `<inhibitorArc>`, also among their own additions. */
const OTHER_ARC =
  /^(inhibit(or|ing)?|reset|read|test|transfer|transport|equal|timed|flush|activator)[ _-]?(arc)?$/i;
const isPlainType = (type: string): boolean => /^(normal|)$/i.test(type);

export function readPnml(file: SourceFile): ReadNet {
  const problems = new Problems(file);
  if (file.text.length > LARGEST) {
    problems.error('SPW8020', [0, 1], `a file of ${file.text.length} characters is too large`);
    return { model: null, diagnostics: problems.found };
  }
  const reader = new PnmlReader(file, problems);
  reader.read();
  const net = problems.failed ? null : reader.net();
  if (net === null || problems.failed) return { model: null, diagnostics: problems.found };
  return { model: { net, targets: [], parameters: new Set() }, diagnostics: problems.found };
}

class PnmlReader {
  private readonly parser = new SaxesParser({ position: true });
  private readonly file: SourceFile;
  private readonly problems: Problems;
  private readonly path: string[] = [];
  private readonly nodes = new Map<string, Node>();
  private readonly references = new Map<string, { readonly to: string; readonly span: Span }>();
  private readonly arcs: ArcElement[] = [];
  private readonly toolSpecific: number[] = [];
  private tagStart = 0;
  private nets = 0;
  private netName = '';
  /** What the first transition says about its priority, and about time. */
  private readonly ranks = new Map<string, string>();
  private text = '';
  private textStart = 0;
  private node: Node | null = null;
  private arc: ArcElement | null = null;

  constructor(file: SourceFile, problems: Problems) {
    this.file = file;
    this.problems = problems;
  }

  read(): void {
    const { parser } = this;
    let broken = false;
    parser.on('error', (error) => {
      // Only the first: what follows it is mostly a consequence.
      if (broken) return;
      broken = true;
      const at = Math.max(0, parser.position - 1);
      const message = error.message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
      this.problems.error('SPW8021', [at, at + 1], `this is not well-formed XML: ${message}`);
    });
    parser.on('opentagstart', () => {
      this.tagStart = Math.max(0, this.file.text.lastIndexOf('<', parser.position - 1));
    });
    parser.on('opentag', ({ name, attributes }) => {
      if (!broken) this.open(name.replace(/^.*:/, ''), attributes as Record<string, string>);
    });
    parser.on('closetag', () => {
      if (!broken) this.close();
    });
    const collect = (text: string): void => {
      if (this.text.trim() === '') this.textStart = Math.max(0, parser.position - text.length - 1);
      this.text += text;
    };
    parser.on('text', collect);
    parser.on('cdata', collect);
    parser.write(this.file.text).close();
    if (!broken && this.nets === 0)
      this.problems.error(
        'SPW8022',
        [0, 1],
        'there is no net in this file',
        'a PNML file holds <pnml><net>…',
      );
  }

  net(): PetriNet | null {
    const places: PetriNet['places'][number][] = [];
    const transitions: { name: string; take: Map<number, number>; put: Map<number, number>; span: Span }[] =
      [];
    const numbers = new Map<string, number>();
    for (const { id, kind, name, initial, span } of this.nodes.values()) {
      const shown = name === '' ? id : name;
      if (kind === 'place') numbers.set(id, places.push({ name: shown, initial, at: startOf(span) }) - 1);
      else numbers.set(id, transitions.push({ name: shown, take: new Map(), put: new Map(), span }) - 1);
    }
    for (const { source, target, weight, span } of this.arcs) {
      const from = this.resolve(source, span);
      const to = this.resolve(target, span);
      if (from === null || to === null) continue;
      if (from.kind === to.kind) {
        this.problems.error(
          'SPW8025',
          span,
          `an arc from a ${from.kind} to a ${to.kind}`,
          'arcs lead from places to transitions or back',
        );
        continue;
      }
      const [place, transition] = from.kind === 'place' ? [from, to] : [to, from];
      const step = transitions[numbers.get(transition.id)!]!;
      const side = from.kind === 'place' ? step.take : step.put;
      const number = numbers.get(place.id)!;
      side.set(number, (side.get(number) ?? 0) + weight);
    }
    const list = (weights: ReadonlyMap<number, number>): PetriTransition['take'] =>
      [...weights].filter(([, weight]) => weight > 0).map(([place, weight]) => ({ place, weight }));
    return {
      name: this.netName === '' ? this.file.path : this.netName,
      places: unambiguous(places),
      transitions: unambiguous(
        transitions.map(({ name, take, put, span }) => ({
          name,
          take: list(take),
          put: list(put),
          at: startOf(span),
        })),
      ),
    };
  }

  private open(name: string, attributes: Readonly<Record<string, string>>): void {
    const parent = this.path.at(-1);
    this.path.push(name);
    const span = this.problems.span(this.tagStart, this.parser.position);
    this.text = '';
    if (name === 'toolspecific') this.toolSpecific.push(this.path.length);
    if (this.arc !== null || /\warc$/i.test(name))
      this.refuseOtherArcs([name, ...['type', 'value', 'kind'].map((key) => attributes[key] ?? '')], span);
    if (this.toolSpecific.length > 0) return;
    if (parent === undefined && name !== 'pnml')
      this.problems.error(
        'SPW8022',
        span,
        `the outermost element is <${name}>`,
        'a PNML file begins with <pnml>',
      );
    if (name === 'net') this.openNet(attributes, span);
    else if (name === 'place' || name === 'transition') this.openNode(name, attributes, span);
    else if (name === 'arc') this.openArc(attributes, span);
    else if (name === 'referencePlace' || name === 'referenceTransition')
      this.references.set(attributes['id'] ?? '', { to: attributes['ref'] ?? '', span });
    else if (HIGH_LEVEL.has(name))
      this.problems.error(
        'SPW8023',
        span,
        `<${name}> belongs to high-level nets`,
        'unfold it to a place/transition net first',
      );
    else if (name === 'type' && parent === 'arc' && !isPlainType(attributes['value'] ?? ''))
      this.otherArc(attributes['value']!, span);
  }

  private refuseOtherArcs(words: readonly string[], span: Span): void {
    const kind = words.find((word) => OTHER_ARC.test(word));
    if (kind !== undefined) this.otherArc(kind, span);
  }

  private otherArc(kind: string, span: Span): void {
    this.problems.error(
      'SPW8024',
      span,
      `arcs of type '${kind}' are not understood`,
      'only plain arcs with weights make a place/transition net',
    );
  }

  private openNet({ type = '', id = '' }: Readonly<Record<string, string>>, span: Span): void {
    if (++this.nets > 1)
      this.problems.error('SPW8026', span, 'there is more than one net in this file', 'split it');
    if (/symmetricnet|highlevelnet|hlpn|pt-hlpng|coloured|core$/i.test(type) && !/ptnet/i.test(type))
      this.problems.error(
        'SPW8023',
        span,
        `this is a high-level net (${type})`,
        'only place/transition nets are read: unfold it first',
      );
    this.netName = id;
  }

  private openNode(kind: Node['kind'], { id = '' }: Readonly<Record<string, string>>, span: Span): void {
    if (id === '') this.problems.error('SPW8027', span, `this ${kind} has no id`);
    if (this.nodes.has(id)) this.problems.error('SPW8028', span, `the id '${id}' is used twice`);
    this.node = { id, kind, span, name: '', initial: 0 };
    this.nodes.set(id, this.node);
  }

  private openArc(attributes: Readonly<Record<string, string>>, span: Span): void {
    const { source = '', target = '', type = '' } = attributes;
    if (!isPlainType(type)) this.otherArc(type, span);
    this.arc = { source, target, span, weight: 1 };
    this.arcs.push(this.arc);
  }

  private close(): void {
    const name = this.path.pop()!;
    const text = this.text.trim();
    if (this.arc !== null && !this.path.includes('name'))
      this.refuseOtherArcs([text], this.problems.span(this.textStart, this.textStart + text.length));
    if (this.toolSpecific.length > 0) {
      if (this.toolSpecific.at(-1) === this.path.length + 1) this.toolSpecific.pop();
      return;
    }
    const parent = this.path.at(-1);
    if (name === 'text' || name === 'value') this.take(parent, text);
    // Some tools write the number without <text> around it.
    else if (text !== '' && COUNTS.has(name)) this.take(name, text);
    if (name === 'place' || name === 'transition') this.node = null;
    if (name === 'arc') this.arc = null;
    this.text = '';
  }

  private take(label: string | undefined, text: string): void {
    const owner = this.path.at(-2);
    if (label === 'name' && this.node !== null) this.node.name = text;
    else if (label === 'name' && owner === 'net') this.netName = text;
    else if (label === 'initialMarking' && this.node !== null) this.node.initial = this.count(text, 0);
    else if (label === 'inscription' && this.arc !== null) this.arc.weight = this.count(text, 1);
    else if (label === 'capacity' && this.node !== null && !UNLIMITED.test(text))
      this.problems.error(
        'SPW8031',
        this.problems.span(this.textStart, this.textStart + Math.max(1, text.length)),
        `a place with room for ${text} tokens`,
        'capacities are not understood: add a complementary place that holds the free room',
      );
    else if ((label === 'priority' || label === 'timed') && this.node !== null) this.rank(label, text);
  }

  /** Transitions that go before others would mean another behaviour; where all are alike nothing does. */
  private rank(label: string, text: string): void {
    const first = this.ranks.get(label) ?? text;
    this.ranks.set(label, first);
    if (text === first) return;
    this.problems.error(
      'SPW8032',
      this.problems.span(this.textStart, this.textStart + Math.max(1, text.length)),
      `a transition with ${label} ${text}, beside others with ${first}`,
      'priorities and time are not understood: say with places which transition goes first',
    );
  }

  private count(text: string, least: number): number {
    // Some tools write "Default,1".
    const digits = /^(?:Default\s*,\s*)?(\d+)$/i.exec(text)?.[1];
    const value = digits === undefined ? Number.NaN : Number(digits);
    if (value >= least && value <= MOST_TOKENS) return value;
    const span = this.problems.span(this.textStart, this.textStart + Math.max(1, text.length));
    this.problems.error(
      'SPW8029',
      span,
      `'${text}' is no number of tokens`,
      `a number from ${least} to ${MOST_TOKENS}`,
    );
    return least;
  }

  private resolve(id: string, span: Span): Node | null {
    let at = id;
    for (
      const seen = new Set<string>();
      this.references.has(at) && !seen.has(at);
      at = this.references.get(at)!.to
    )
      seen.add(at);
    const node = this.nodes.get(at);
    if (node !== undefined) return node;
    this.problems.error('SPW8030', span, `there is no place and no transition with the id '${at}'`);
    return null;
  }
}

const COUNTS: ReadonlySet<string> = new Set(['initialMarking', 'inscription', 'capacity']);

/** What tools write for a place without a limit. */
const UNLIMITED = /^(?:Default\s*,\s*)?(0|-1|inf(inity)?|ω|∞|)$/i;

const HIGH_LEVEL: ReadonlySet<string> = new Set([
  'hlinitialMarking',
  'hlinscription',
  'declaration',
  'condition',
]);

/** Names are what users ask with: where two are alike, numbers tell them apart. */
function unambiguous<T extends { readonly name: string }>(items: readonly T[]): T[] {
  const given = new Set(items.map(({ name }) => name));
  const used = new Set<string>();
  return items.map((item) => {
    let { name } = item;
    for (let number = 2; used.has(name) || (name !== item.name && given.has(name)); number++)
      name = `${item.name}#${number}`;
    used.add(name);
    return name === item.name ? item : { ...item, name };
  });
}
