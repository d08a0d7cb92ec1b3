// Data that decides nothing: counters and notes that are only written, and read only to be written again or logged. The exploration forgets their values, so that
// a chart that counts for ever still has finitely many states.
//
// Forgetting must not change what happens, not even whether an expression throws. So such a variable is assigned only expressions of numbers, strings and other
// such variables, joined by operators: they never throw, whatever the values are. A variable that occurs anywhere else decides something. The greatest set
// that satisfies this is found by throwing out offenders until none is left.

import type { Chart } from './chart.ts';
import { codeOf } from './check-code.ts';
import { isPlainArithmetic } from './ecma-source.ts';
import { actionsOf } from './environment.ts';
import type { Encoded } from './sandbox.ts';
import type { ChartSystem } from './system.ts';

const WORDS = /[A-Za-z_$][\w$]*/g;
const DYNAMIC = /\b(eval|Function|globalThis|this|with|constructor)\b/;

/** Names of the chart's idle variables; `given` are those that get a value from outside the chart. */
export const idleVariables = (chart: Chart, given: ReadonlySet<string>): ReadonlySet<string> =>
  greatestSet(chart, given, false);

/**
 * Variables that at most conditions look at, and conditions of nothing else that can throw: where they take too many values the conditions may be true or
 * false instead (see `widening.ts`).
 */
export const widenableVariables = (chart: Chart, given: ReadonlySet<string>): ReadonlySet<string> =>
  greatestSet(chart, given, true);

function greatestSet(
  chart: Chart,
  given: ReadonlySet<string>,
  conditionsMayLook: boolean,
): ReadonlySet<string> {
  if (chart.datamodel === 'null') return new Set();
  const uses = usesOf(chart, conditionsMayLook);
  if (uses === null) return new Set();
  const idle = new Set(
    chart.states
      .flatMap(({ data }) => data.map(({ id }) => id))
      .filter((id) => !given.has(id) && !uses.deciding.has(id)),
  );
  for (let before = -1; before !== idle.size; ) {
    before = idle.size;
    for (const { to, words, plain } of uses.assignments) {
      if (plain && words.every((word) => idle.has(word))) continue;
      idle.delete(to);
    }
    for (const { to, words } of uses.assignments)
      if (!idle.has(to)) for (const word of words) idle.delete(word);
    for (const words of uses.conditions)
      if (!words.every((word) => idle.has(word))) for (const word of words) idle.delete(word);
  }
  return idle;
}

interface Uses {
  /** Names that occur where they matter. */
  readonly deciding: Set<string>;
  /** `to` empty: a log. */
  readonly assignments: { to: string; words: readonly string[]; plain: boolean }[];
  /** Names in conditions that never throw, where these may look. */
  readonly conditions: (readonly string[])[];
}

/** Null: the chart reaches variables by other ways than their names. */
function usesOf(chart: Chart, conditionsMayLook: boolean): Uses | null {
  const uses: Uses = { deciding: new Set(), assignments: [], conditions: [] };
  const owned = new Set<string>();
  const assign = (to: string, text: string): void => {
    uses.assignments.push({ to, words: text.match(WORDS) ?? [], plain: isPlainArithmetic(text) });
    owned.add(text);
  };
  for (const state of chart.states)
    for (const { id, value } of state.data) {
      if (value === null) continue;
      if ('kind' in value) uses.deciding.add(id);
      else assign(id, value.text);
    }
  for (const action of actionsOf(chart)) {
    if (action.kind === 'foreach')
      for (const code of [action.item, action.index]) uses.deciding.add(code?.text ?? '');
    if (action.kind !== 'assign') continue;
    const to = action.location.text.trim();
    if (/^[A-Za-z_$][\w$]*$/.test(to) && !('kind' in action.value)) assign(to, action.value.text);
    else for (const word of to.match(WORDS) ?? []) uses.deciding.add(word);
  }
  for (const { code, kind } of codeOf(chart)) {
    if (DYNAMIC.test(code.text)) return null;
    const isAssigned =
      (kind === 'value' && owned.has(code.text)) || (kind === 'location' && /^\s*[\w$]+\s*$/.test(code.text));
    if (isAssigned && !isUsedElsewhere(chart, code.text, kind)) continue;
    if (kind === 'condition' && conditionsMayLook && isPlainArithmetic(code.text))
      uses.conditions.push(namesIn(code.text));
    else if (kind === 'log' && isPlainArithmetic(code.text))
      uses.assignments.push({ to: '', words: [], plain: true });
    else for (const word of code.text.match(WORDS) ?? []) uses.deciding.add(word);
  }
  return uses;
}

/** The names in an expression, without words of the language. */
export const namesIn = (text: string): string[] =>
  (text.match(WORDS) ?? []).filter((word) => !/^(?:true|false|null|undefined)$/.test(word));

/** Those and every variable that is computed from them. */
export function computedFrom(chart: Chart, names: ReadonlySet<string>): ReadonlySet<string> {
  const all = new Set(names);
  const { assignments } = usesOf(chart, true) ?? { assignments: [] };
  for (let before = -1; before !== all.size; ) {
    before = all.size;
    for (const { to, words } of assignments)
      if (to !== '' && words.some((word) => all.has(word))) all.add(to);
  }
  return all;
}

/** The same text as a parameter, a name in a list or an id's location is another use. */
function isUsedElsewhere(chart: Chart, text: string, kind: string): boolean {
  let count = 0;
  for (const use of codeOf(chart)) if (use.kind === kind && use.code.text === text) count++;
  for (const action of actionsOf(chart)) {
    if (action.kind !== 'assign') continue;
    if (kind === 'location' && action.location.text === text) count--;
    if (kind === 'value' && !('kind' in action.value) && action.value.text === text) count--;
  }
  for (const { data } of chart.states)
    for (const { value } of data)
      if (kind === 'value' && value !== null && !('kind' in value) && value.text === text) count--;
  return count > 0;
}

/** Variables that instances or invocations give values to. */
export function givenNames(system: ChartSystem): ReadonlySet<string> {
  const names = new Set(system.instances.flatMap(({ values }) => [...values.keys()]));
  const visit = (chart: Chart): void => {
    for (const { names: list, parameters, source } of chart.states.flatMap(({ invokes }) => invokes)) {
      for (const { text } of list) names.add(text);
      for (const { name } of parameters) names.add(name);
      if (source.kind === 'inline') visit(source.chart);
    }
  };
  for (const { chart } of system.library.entries()) if (chart !== null) visit(chart);
  return names;
}

/** The data with the values of these variables forgotten. */
export function forget(data: Encoded, names: ReadonlySet<string>): Encoded {
  if (names.size === 0) return data;
  const tree = JSON.parse(data) as unknown[];
  for (let i = 1; i < tree.length; i += 2) if (names.has(String(tree[i]))) tree[i + 1] = ['u'];
  return JSON.stringify(tree);
}
