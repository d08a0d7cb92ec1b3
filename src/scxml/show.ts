// Data and events as people read them.

import type { Chart } from './chart.ts';
import type { ChartEvent } from './event.ts';
import { type Encoded, UNDEFINED } from './sandbox.ts';
import type { Session } from './session.ts';

const LONGEST = 60;

export function showEvent({ name, data }: Pick<ChartEvent, 'name' | 'data'>): string {
  return data === UNDEFINED ? name : `${name} ${showData(data)}`;
}

const showData = (data: Encoded): string => clip(showTree(JSON.parse(data)));

const clip = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`);

function showTree(tree: unknown): string {
  if (!Array.isArray(tree)) return JSON.stringify(tree);
  const [tag, ...rest] = tree as [string, ...unknown[]];
  switch (tag) {
    case 'u':
      return 'undefined';
    case 'n':
    case 'b':
      return String(rest[0]);
    case 'a':
      return `[${rest.map(showTree).join(', ')}]`;
    case 'o':
    case 'O':
      return `{${pairs(rest)}}`;
    case 'i':
      return `{${pairs(rest.slice(1))}}`;
    case 'z':
    case '#':
      return showTree(rest.at(-1));
    case 'f':
      return 'function';
    case 'x':
      return String(rest[0]).trim();
    case 'd':
      return new Date(Number(rest[0])).toISOString();
    default:
      return tag === '@' ? '…' : tag;
  }
}

function pairs(list: readonly unknown[]): string {
  const shown: string[] = [];
  for (let i = 0; i < list.length; i += 2) shown.push(`${String(list[i])}: ${showTree(list[i + 1])}`);
  return shown.join(', ');
}

/** The innermost active states, and the data where there is any. */
export function showSession(chart: Chart, session: Session): string {
  const leaves = session.configuration
    .map((number) => chart.states[number]!)
    .filter(({ kind }) => kind === 'atomic' || kind === 'final')
    .map(({ name }) => name);
  const data = showVariables(session.data);
  return `${leaves.join(' + ')}${data === '' ? '' : ` (${data})`}`;
}

/** Functions are left out: they are the chart's text. */
function showVariables(data: Encoded): string {
  const tree = JSON.parse(data) as unknown[];
  const shown: string[] = [];
  for (let i = 1; i < tree.length; i += 2) {
    const value = tree[i + 1];
    if (Array.isArray(value) && (value[0] === 'f' || value[0] === 'u')) continue;
    shown.push(`${String(tree[i])} = ${showTree(value)}`);
  }
  return clip(shown.join(', '));
}
