// One text for equal values: keys of objects sorted, references by the actor's name, unknown values as `any`.

import { ANY, isReference, OPEN } from './any.ts';

/** Null for values that have no text of their own (functions, symbols, class instances are written by what they hold). */
export function canonical(value: unknown, nameOf: (reference: object) => string): string {
  const path: object[] = [];
  const write = (one: unknown): string => {
    if (one === ANY) return '⊤';
    switch (typeof one) {
      case 'undefined':
        return '∅';
      case 'bigint':
        return `${one}n`;
      case 'number':
        return Object.is(one, -0) ? '-0' : String(one);
      case 'string':
        return JSON.stringify(one);
      case 'function':
        return `ƒ${functionNumber(one)}`;
      case 'symbol':
        return String(one);
      case 'object':
        return one === null ? 'null' : writeObject(one);
      default:
        return String(one);
    }
  };
  const writeObject = (one: object): string => {
    if (isReference(one)) return `@${nameOf(one)}`;
    const at = path.indexOf(one);
    if (at >= 0) return `↑${path.length - at}`;
    path.push(one);
    try {
      if (Array.isArray(one)) return `[${one.map(write).join(',')}]`;
      if (one instanceof Date) return `Date(${one.getTime()})`;
      if (one instanceof RegExp) return String(one);
      if (one instanceof Error) return `${one.name}(${JSON.stringify(one.message)})`;
      if (one instanceof Map) return `Map{${[...one].map(([k, v]) => `${write(k)}=>${write(v)}`).join(',')}}`;
      if (one instanceof Set) return `Set{${[...one].map(write).join(',')}}`;
      if (ArrayBuffer.isView(one)) return `${one.constructor.name}[${String(one)}]`;
      const keys = Object.keys(one).sort();
      const parts = keys.map(
        (key) => `${JSON.stringify(key)}:${write((one as Record<string, unknown>)[key])}`,
      );
      const open = (one as { [OPEN]?: boolean })[OPEN] === true ? ',…' : '';
      return `{${parts.join(',')}${open}}`;
    } finally {
      path.pop();
    }
  };
  return write(value);
}

const numbers = new WeakMap<object, number>();
let next = 0;

/** Functions are told apart by identity. */
function functionNumber(fn: unknown): number {
  const known = numbers.get(fn as object);
  if (known !== undefined) return known;
  numbers.set(fn as object, next);
  return next++;
}

/** The same, short enough for a line in a report. */
export function brief(value: unknown, nameOf: (reference: object) => string, most = 60): string {
  const text = canonical(value, nameOf)
    .replace(/"([A-Za-z_$][\w$]*)":/g, '$1: ')
    .replace(/,(?=\S)/g, ', ')
    .replaceAll('⊤', 'any')
    .replaceAll('∅', 'undefined');
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
