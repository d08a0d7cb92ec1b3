// What the linker makes of names that are defined more than once. Of functions and variables that are `weak` it takes another definition, or else the first one. An
// `inline` function is perhaps for its own file only (C11 6.7.4p7): C leaves open whether that one or the one for all files is called, so they must be the same.
// What the assembler is told to call something else is a name of its own.

import type { Span } from '../../source/source.ts';
import type { Declaration, FunctionDefinition, TopLevel } from '../syntax/ast.ts';
import { functionPart, nameOf } from '../syntax/declarators.ts';
import type { Unit } from '../syntax/parse.ts';
import { someNode } from '../syntax/parts.ts';
import { refuse } from '../text/codes.ts';

type Part = Declaration['items'][0];

/** What one file says of a name outside of functions. */
interface Said {
  readonly unit: number;
  readonly functions: FunctionDefinition[];
  /** Of variables. */
  readonly parts: { readonly declaration: Declaration; readonly part: Part }[];
  isStatic: boolean;
  isWeak: boolean;
  /** A declaration makes an `inline` function one for all files. */
  isForAll: boolean;
  label: { readonly text: string; readonly span: Span } | null;
  alias: Span | null;
}

/** The same files, with one definition of each name. */
export function linked(units: readonly Unit[], watch: () => void): readonly Unit[] {
  const dropped = new Set<object>();
  for (const [name, said] of everythingSaid(units)) {
    const outer = said.filter(({ isStatic }) => !isStatic);
    chooseFunction(name, outer, dropped);
    chooseVariable(name, outer, dropped);
    for (const one of outer) if (one.label !== null) checkLabel(name, one, outer, units, watch);
  }
  if (dropped.size === 0) return units;
  return units.map((unit) => ({ ...unit, items: unit.items.map((item) => without(item, dropped)) }));
}

function everythingSaid(units: readonly Unit[]): ReadonlyMap<string, readonly Said[]> {
  const all = new Map<string, Said[]>();
  const of = (name: string, unit: number): Said => {
    let list = all.get(name);
    if (list === undefined) all.set(name, (list = []));
    const last = list.at(-1);
    if (last?.unit === unit) return last;
    const flags = { isStatic: false, isWeak: false, isForAll: false, label: null, alias: null };
    const one: Said = { unit, functions: [], parts: [], ...flags };
    list.push(one);
    return one;
  };
  units.forEach(({ items }, unit) => {
    for (const item of items)
      if (item.kind === 'function') addFunction(of(nameOf(item.declarator) ?? '', unit), item);
      else if (item.storage !== 'typedef')
        for (const part of item.items) {
          const name = nameOf(part.declarator) ?? '';
          addPart(of(name, unit), item, part, name);
        }
  });
  return all;
}

function addFunction(said: Said, item: FunctionDefinition): void {
  said.functions.push(item);
  if (item.static) said.isStatic = true;
  if (item.weak === true) said.isWeak = true;
}

function addPart(said: Said, declaration: Declaration, part: Part, name: string): void {
  if (declaration.storage === 'static') said.isStatic = true;
  if (part.weak) said.isWeak = true;
  if (part.alias !== null && part.isLabel && part.alias !== name)
    said.label = { text: part.alias, span: part.span };
  if (part.alias !== null && !part.isLabel) said.alias = part.span;
  if (functionPart(part.declarator) === null) said.parts.push({ declaration, part });
  else if (declaration.inline !== true) said.isForAll = true;
}

/** The lowest is taken. */
function rankOf({ isWeak, isForAll }: Said, { inline }: FunctionDefinition): number {
  if (inline === 'gnu' || (inline === 'c99' && !isForAll)) return 2;
  return isWeak ? 1 : 0;
}

function chooseFunction(name: string, said: readonly Said[], dropped: Set<object>): void {
  const all = said.flatMap((one) => one.functions.map((item) => ({ item, rank: rankOf(one, item) })));
  const least = Math.min(...all.map(({ rank }) => rank));
  const kept = all.find(({ rank }) => rank === least);
  for (const { item, rank } of all) {
    // Two that count are an error of their own.
    if (item === kept!.item || rank === 0) continue;
    if (rank === 2 && !isSame(item, kept!.item))
      refuse(
        'SPW5014',
        `'${name}' is defined twice, once or more as inline: C leaves open which one is called`,
        item.span,
        'make them the same, or static',
      );
    dropped.add(item);
  }
}

/** As far as the text goes, after the preprocessor. */
const isSame = (one: FunctionDefinition, other: FunctionDefinition): boolean =>
  textOf([one.type, one.declarator, one.body]) === textOf([other.type, other.declarator, other.body]);

const textOf = (node: object): string =>
  JSON.stringify(node, (key, part: unknown) => (key === 'span' ? undefined : part));

function chooseVariable(name: string, said: readonly Said[], dropped: Set<object>): void {
  const defining = said
    .map(({ isWeak, parts, alias }) => ({ isWeak, alias, parts: parts.filter(isDefinition) }))
    .filter(({ parts }) => parts.length > 0);
  const aliased = said.find(({ alias, parts }) => alias !== null && parts.length > 0);
  if (aliased !== undefined && defining.some(({ alias }) => alias === null))
    refuse(
      'SPW5012',
      `'${name}' as another name, and as a variable of another file, is not supported`,
      aliased.alias!,
    );
  const kept = defining.find(({ isWeak }) => !isWeak) ?? defining[0];
  const counting = defining.filter((one) => one === kept || !one.isWeak);
  const valued = counting.flatMap(({ parts }) => parts.filter(({ part }) => part.value !== null));
  if (valued.length > 1)
    refuse('SPW5014', `the variable '${name}' is defined twice`, valued[1]!.part.span, 'give it one value');
  for (const one of defining)
    if (!counting.includes(one)) for (const { part } of one.parts) dropped.add(part);
}

const isDefinition = ({ declaration, part }: Said['parts'][0]): boolean =>
  declaration.storage !== 'extern' || part.value !== null;

/** It is defined under the assembler's name: what others call by that name, or by this one, is not followed. */
function checkLabel(
  name: string,
  one: Said,
  said: readonly Said[],
  units: readonly Unit[],
  watch: () => void,
): void {
  const { text, span } = one.label!;
  const isDefined = ({ functions, parts }: Said): boolean => functions.length > 0 || parts.some(isDefinition);
  const isAnother = said.some((other) => isDefined(other) && other.label?.text !== text);
  const isMentioned = (node: object): boolean =>
    'kind' in node && node.kind === 'name' && 'name' in node && node.name === text;
  const isUsed =
    isDefined(one) && !isAnother && units.some(({ items }) => someNode(items, isMentioned, watch));
  if (isAnother || isUsed)
    refuse(
      'SPW5012',
      `'${name}', which the assembler calls '${text}', beside another of one of these names is not supported`,
      span,
      'give it one name everywhere',
    );
}

function without(item: TopLevel, dropped: ReadonlySet<object>): TopLevel {
  if (item.kind === 'declaration')
    return item.items.some((part) => dropped.has(part))
      ? {
          ...item,
          items: item.items.map((part) => (dropped.has(part) ? { ...part, elsewhere: true as const } : part)),
        }
      : item;
  if (!dropped.has(item)) return item;
  const { type, declarator, span } = item;
  const said = { noreturn: false, weak: false, alias: null, isLabel: false, aligned: [] };
  return {
    kind: 'declaration',
    storage: 'extern',
    constant: false,
    volatile: false,
    type,
    items: [{ declarator, value: null, ...said, span }],
    span,
  };
}
