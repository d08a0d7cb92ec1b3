// Structures as a .lks file: everything unrolled, one state a line. Names that the notation does not allow (labels of .aut
// files) are rewritten, each to another.

import type { Kripke } from './structure.ts';
import { eachEdge, stateCount } from './structure.ts';

const NAME = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:\[-?\d+\])*$/;
const RESERVED: ReadonlySet<string> = new Set([
  ...['STOP', 'for', 'when', 'init', 'alphabet', 'allow'],
  ...['component', 'system', 'const', 'ltl'],
]);
/** Between the braces of a state the other words are names like any. */
const RESERVED_IN_BRACES: ReadonlySet<string> = new Set(['for', 'when']);

/** `formulas`: name and unrolled text, over the names as they are; dropped with a comment when a name had to change. */
export function printLks(
  structures: readonly Kripke[],
  formulas: readonly { readonly name: string; readonly text: string }[],
  deadlockFree: boolean,
): string {
  const names = new Names(RESERVED_IN_BRACES);
  const components = new Names(RESERVED);
  const lines: string[] = [];
  for (const structure of structures)
    lines.push(...printComponent(structure, names, components.of(structure.name)), '');
  if (deadlockFree) lines.push('deadlock-free;');
  for (const { name, text } of formulas) {
    lines.push(
      names.changed ? `// ltl ${name}: left out, names had to change` : `ltl ${name} { ${text.trim()} }`,
    );
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function printComponent(structure: Kripke, names: Names, name: string): string[] {
  const states = new Names(RESERVED);
  const stateNames = structure.stateNames.map((state) => states.of(state));
  const used = new Uint8Array(structure.events.length);
  const lines = [
    `component ${name} {`,
    `  init ${structure.initial.map((state) => stateNames[state]).join(', ')};`,
  ];
  const bodies: string[] = [];
  for (let state = 0; state < stateCount(structure); state++) {
    const branches: string[] = [];
    eachEdge(structure, state, (event, target) => {
      used[event] = 1;
      branches.push(`${eventName(structure.events[event]!)} -> ${stateNames[target]}`);
    });
    const label = structure.labels[state]!.map((id) => names.of(structure.propositions[id]!));
    const head = label.length === 0 ? stateNames[state] : `${stateNames[state]} {${label.join(', ')}}`;
    bodies.push(`  ${head} = ${branches.length === 0 ? 'STOP' : `( ${branches.join(' | ')} )`}.`);
  }
  const idle = structure.events.filter((_, event) => used[event] === 0);
  if (idle.length > 0) lines.push(`  alphabet ${idle.map(eventName).join(', ')};`);
  // A structure from elsewhere may have states that nobody reaches; that was said when it was read.
  lines.push('  allow unreachable;', ...bodies, '}');
  return lines;
}

/** Labels of .aut files may be any text: in quotes they are names, too. */
const eventName = (name: string): string =>
  NAME.test(name) && !RESERVED.has(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`;

/** Legal names, one for each given name. */
class Names {
  changed = false;
  private readonly known = new Map<string, string>();
  private readonly taken = new Set<string>();
  private readonly reserved: ReadonlySet<string>;

  constructor(reserved: ReadonlySet<string>) {
    this.reserved = reserved;
  }

  of(name: string): string {
    let legal = this.known.get(name);
    if (legal === undefined) {
      legal = this.fresh(name);
      this.known.set(name, legal);
      this.taken.add(legal);
      if (legal !== name) this.changed = true;
    }
    return legal;
  }

  private fresh(name: string): string {
    if (NAME.test(name) && !this.reserved.has(name) && !this.taken.has(name)) return name;
    const plain = name.replace(/\W+/g, '_').replace(/^_+|_+$/g, '');
    const base = /^[A-Za-z_]/.test(plain) && !this.reserved.has(plain) ? plain : `n_${plain}`;
    for (let attempt = 1; ; attempt++) {
      const candidate = attempt === 1 ? base : `${base}_${attempt}`;
      if (!this.taken.has(candidate)) return candidate;
    }
  }
}
