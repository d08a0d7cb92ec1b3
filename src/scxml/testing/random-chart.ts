// For tests: charts at random, with every kind of state and transition, as text.

import fc from 'fast-check';

interface Node {
  readonly kind: 'state' | 'parallel' | 'final' | 'history';
  readonly children: Node[];
  id: string;
  parent: Node | null;
}

const shape = fc.letrec<{ node: Omit<Node, 'id' | 'parent'> }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true, maxDepth: 4 },
    fc.record({
      kind: fc.constantFrom('state' as const, 'state' as const, 'state' as const, 'final' as const),
      children: fc.constant([] as Node[]),
    }),
    fc.record({
      kind: fc.constantFrom('state' as const, 'state' as const, 'parallel' as const),
      children: fc.array(tie('node') as fc.Arbitrary<Node>, { minLength: 1, maxLength: 3 }),
    }),
  ),
})).node;

/** The text of a chart, and the names of events that do something in it. */
export const randomChart: fc.Arbitrary<string> = fc
  .tuple(fc.array(shape, { minLength: 1, maxLength: 4 }), fc.infiniteStream(fc.nat({ max: 999 })))
  .map(([roots, numbers]) => new Writer(roots as Node[], numbers[Symbol.iterator]()).text());

export const EVENTS = ['a', 'b', 'b.c', 'd'];

class Writer {
  private readonly numbers: Iterator<number>;
  private readonly root: Node;
  private readonly all: Node[] = [];

  constructor(roots: Node[], numbers: Iterator<number>) {
    this.numbers = numbers;
    this.root = { kind: 'state', children: roots, id: '', parent: null };
    this.adopt(this.root);
  }

  text(): string {
    const children = this.root.children.map((child) => this.state(child)).join('');
    return `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null"${this.initialAttribute(this.root)}>${children}</scxml>`;
  }

  private pick(count: number): number {
    return (this.numbers.next().value as number) % count;
  }

  /** Names, parents, histories; a parallel has regions only, no final states. */
  private adopt(node: Node): void {
    for (const [index, child] of node.children.entries()) {
      const legal: Node =
        node.kind === 'parallel' && child.kind === 'final'
          ? { ...child, kind: 'state' }
          : { ...child, children: [...child.children] };
      node.children[index] = legal;
      legal.parent = node;
      legal.id = `s${this.all.length}`;
      this.all.push(legal);
      this.adopt(legal);
    }
    if (node !== this.root && node.children.length > 0 && this.pick(3) === 0) {
      const history: Node = { kind: 'history', children: [], id: `h${this.all.length}`, parent: node };
      this.all.push(history);
      node.children.push(history);
    }
  }

  private state(node: Node): string {
    if (node.kind === 'history') return this.history(node);
    const inside = node.children.map((child) => this.state(child)).join('');
    const handlers = `<onentry><log label="in ${node.id}"/>${this.raise(12)}</onentry><onexit><log label="out ${node.id}"/>${this.raise(12)}</onexit>`;
    if (node.kind === 'final') return `<final id="${node.id}">${handlers}</final>`;
    const transitions = Array.from({ length: this.pick(4) }, () => this.transition(node)).join('');
    const states = node.children.some(({ kind }) => kind !== 'history');
    const initial = node.kind === 'parallel' || !states ? '' : this.initialAttribute(node);
    const element =
      node.kind === 'parallel' || initial !== '' || !states || this.pick(4) > 0
        ? ''
        : this.initialElement(node);
    return `<${node.kind} id="${node.id}"${initial}>${handlers}${element}${transitions}${inside}</${node.kind}>`;
  }

  private history(node: Node): string {
    const deep = this.pick(2) === 0;
    const targets = deep ? below(node.parent!) : node.parent!.children;
    const usable = targets.filter(({ kind }) => kind !== 'history');
    const target = usable[this.pick(usable.length)]!;
    return `<history id="${node.id}" type="${deep ? 'deep' : 'shallow'}"><transition target="${target.id}"><log label="default ${node.id}"/></transition></history>`;
  }

  private initialAttribute(node: Node): string {
    if (this.pick(3) > 0) return '';
    const targets = below(node).filter(({ kind }) => kind !== 'history');
    return targets.length === 0 ? '' : ` initial="${targets[this.pick(targets.length)]!.id}"`;
  }

  private initialElement(node: Node): string {
    const targets = below(node);
    return `<initial><transition target="${targets[this.pick(targets.length)]!.id}"><log label="initial ${node.id}"/></transition></initial>`;
  }

  private transition(node: Node): string {
    const event =
      this.pick(6) === 0 ? '' : ` event="${['a', 'b', 'b.c', '*', 'd a', 'done.state'][this.pick(6)]}"`;
    const asked = this.all.filter(({ kind }) => kind !== 'history');
    const condition =
      event === '' || this.pick(4) === 0 ? ` cond="In('${asked[this.pick(asked.length)]!.id}')"` : '';
    const target = this.pick(8) === 0 ? '' : ` target="${this.targets()}"`;
    const type = this.pick(3) === 0 ? ' type="internal"' : '';
    return `<transition${event}${condition}${target}${type}><log label="take ${node.id}"/>${this.raise(10)}</transition>`;
  }

  /** Mostly one, sometimes two that can be active together. */
  private targets(): string {
    const first = this.all[this.pick(this.all.length)]!;
    if (this.pick(4) > 0) return first.id;
    const others = this.all.filter((one) => one !== first && orthogonal(first, one));
    return others.length === 0 ? first.id : `${first.id} ${others[this.pick(others.length)]!.id}`;
  }

  private raise(seldom: number): string {
    return this.pick(seldom) === 0 ? `<raise event="${EVENTS[this.pick(EVENTS.length)]}"/>` : '';
  }
}

const below = (node: Node): Node[] => node.children.flatMap((child) => [child, ...below(child)]);

function orthogonal(a: Node, b: Node): boolean {
  const above = new Set<Node>();
  for (let at: Node | null = a; at !== null; at = at.parent) above.add(at);
  for (let at: Node | null = b; at !== null; at = at.parent)
    if (above.has(at)) return at.kind === 'parallel' && at !== a && at !== b;
  return false;
}
