// Variables as a tree: `node.table[2].next` hangs below `table[2]` below `table`. References are handed out anew at every stop.

import type { Run } from '../verdict/run.ts';
import type { RunState } from '../verdict/run-state.ts';
import type { Value } from './expression.ts';

export interface Variable {
  readonly name: string;
  readonly value: string;
  readonly type?: string;
  /** How an expression reaches it, for watches. */
  readonly evaluateName?: string;
  readonly variablesReference: number;
  readonly indexedVariables?: number;
  readonly namedVariables?: number;
}

type Children = () => readonly Variable[];

/** Longer lists of messages are shown in part where they are one line. */
const LONGEST_LIST = 8;

export class VariableStore {
  private lists: Children[] = [];

  clear(): void {
    this.lists = [];
  }

  reference(children: Children): number {
    this.lists.push(children);
    return this.lists.length;
  }

  children(reference: number): readonly Variable[] {
    return this.lists[reference - 1]?.() ?? [];
  }

  /** The names with this prefix, as a tree. */
  below(
    values: ReadonlyMap<string, string>,
    prefix: string,
    isWanted: (name: string) => boolean,
  ): Variable[] {
    const groups = new Map<string, string[]>();
    for (const name of values.keys()) {
      if (!name.startsWith(prefix) || !isWanted(name)) continue;
      const part = firstPart(name.slice(prefix.length));
      const group = groups.get(part);
      if (group === undefined) groups.set(part, [name]);
      else group.push(name);
    }
    return [...groups].map(([part, names]) => this.variable(values, prefix, part, names));
  }

  private variable(
    values: ReadonlyMap<string, string>,
    prefix: string,
    part: string,
    names: readonly string[],
  ): Variable {
    const name = prefix + part;
    const shown = part.replace(/^\./, '');
    if (names.length === 1 && names[0] === name)
      return { name: shown, value: values.get(name)!, evaluateName: name, variablesReference: 0 };
    return {
      name: shown,
      value: summaryOf(values, name, names),
      evaluateName: name,
      variablesReference: this.reference(() => this.below(values, name, (one) => names.includes(one))),
    };
  }

  queues(run: Run, { queues }: RunState): Variable[] {
    return run.queues.map(({ name, capacity }) => this.queue(name, queues.get(name) ?? [], capacity));
  }

  queue(name: string, messages: readonly string[], capacity: number | null): Variable {
    const room = capacity === null ? '' : ` of ${capacity}`;
    return {
      name,
      value: capacity === 0 ? 'handshakes only' : `${messages.length}${room} ${listText(messages)}`,
      type: 'queue',
      evaluateName: name,
      indexedVariables: messages.length,
      variablesReference:
        messages.length === 0
          ? 0
          : this.reference(() =>
              messages.map((message, i) => ({
                name: `[${i}]`,
                value: message,
                evaluateName: `${name}[${i}]`,
                variablesReference: 0,
              })),
            ),
    };
  }

  /** What an expression gave. */
  result(value: Value, run: Run, state: RunState): Pick<Variable, 'value' | 'variablesReference' | 'type'> {
    if (typeof value !== 'object') return { value: String(value), variablesReference: 0 };
    if (value.kind === 'queue') {
      const { capacity } = run.queues.find(({ name }) => name === value.name)!;
      return this.queue(value.name, state.queues.get(value.name)!, capacity);
    }
    const names = [...state.values.keys()].filter((name) => name.startsWith(value.name));
    return {
      value: summaryOf(state.values, value.name, names),
      variablesReference: this.reference(() => this.below(state.values, value.name, () => true)),
    };
  }
}

/** `a` of `a[2].x`, `[2]` of `[2].x`, `.x` of `.x`. */
function firstPart(rest: string): string {
  const [part = rest] = /^(?:\[\d+\]|\.?[^.[]+(?:\[\d+\](?=\.|$))?)/.exec(rest) ?? [];
  return /^\.?[^.[]+\[/.test(part) ? part.slice(0, part.indexOf('[')) : part;
}

function summaryOf(values: ReadonlyMap<string, string>, name: string, names: readonly string[]): string {
  const shown = names.slice(0, LONGEST_LIST).map((one) => {
    const rest = one.slice(name.length).replace(/^\./, '');
    return /^\[\d+\]$/.test(rest) ? values.get(one)! : `${rest}=${values.get(one)}`;
  });
  return `{${shown.join(', ')}${names.length > LONGEST_LIST ? ', …' : ''}}`;
}

const listText = (messages: readonly string[]): string =>
  `[${messages.slice(0, LONGEST_LIST).join(' ')}${messages.length > LONGEST_LIST ? ' …' : ''}]`;
