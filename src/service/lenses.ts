// Lines above declarations that say what is known: the bound of a channel, the verdict of a formula, and over the first process what holds
// for the model as a whole.

import type { Span } from '../source/source.ts';
import type { PropertyResult, QueueResult } from '../verdict/verdict.ts';
import { boundText, type Findings, verdictText } from './findings.ts';
import type { Found } from './name-index.ts';
import type { Understanding } from './service.ts';

export type LensAction =
  | { readonly kind: 'check' }
  | { readonly kind: 'run' | 'debug'; readonly property: string }
  | { readonly kind: 'report' }
  | { readonly kind: 'capacity'; readonly bound: number };

export interface Lens {
  readonly span: Span;
  readonly title: string;
  /** Null for what only informs. */
  readonly action: LensAction | null;
}

/** `withDebugger`: runs can be stepped through where they are shown. */
export function lenses(
  understanding: Understanding,
  path: string,
  findings: Findings | null,
  withDebugger = false,
): Lens[] {
  const declared = understanding.index.declaredIn(path).sort((a, b) => a.span.start - b.span.start);
  const found = declared.flatMap((one) => lensesOf(one, findings));
  const all = [...overall(understanding, declared, path, findings), ...found];
  return withDebugger ? all.flatMap(debuggable) : all;
}

function lensesOf({ symbol, span }: Found, findings: Findings | null): Lens[] {
  if (findings === null) return [];
  if (symbol.kind === 'channel') return channelLenses(span, findings.queuesOf(symbol), findings);
  if (symbol.kind === 'process')
    return [...new Set(findings.waiting(symbol.name))].map((what) => ({
      span,
      title: `waits for ever: ${what}`,
      action: null,
    }));
  if (symbol.kind !== 'formula') return [];
  const result = findings.formula(symbol.name);
  return result === null ? [] : verdictLenses(span, result);
}

function channelLenses(span: Span, queues: readonly QueueResult[], findings: Findings): Lens[] {
  if (queues.length === 0) return [];
  const texts = [...new Set(queues.map(boundText))];
  const named = queues.length > 1 && texts.length > 1;
  const title = named ? queues.map((queue) => `${queue.name} ${boundText(queue)}`).join(' · ') : texts[0]!;
  const lens: Lens = { span, title, action: null };
  const refuted = queues.some(({ verdict }) => verdict === 'refuted') && findings.results.has('bounded');
  return refuted ? [lens, runLens(span, 'bounded')] : [lens];
}

/** Beside "show the run" another one that steps through it. */
const debuggable = (lens: Lens): Lens[] =>
  lens.action?.kind === 'run'
    ? [lens, { ...lens, title: 'debug the run', action: { ...lens.action, kind: 'debug' } }]
    : [lens];

const runLens = (span: Span, property: string): Lens => ({
  span,
  title: 'show the run',
  action: { kind: 'run', property },
});

function verdictLenses(span: Span, result: PropertyResult): Lens[] {
  const lens: Lens = { span, title: verdictText(result), action: null };
  return result.verdict === 'refuted' ? [lens, runLens(span, result.id)] : [lens];
}

/** Over the first process or state: what was asked about the whole model. */
function overall(
  { root }: Understanding,
  declared: readonly Found[],
  path: string,
  findings: Findings | null,
): Lens[] {
  const first = declared.find(({ symbol }) => symbol.kind === 'process') ?? declared[0];
  if (first === undefined || path !== root) return [];
  const { span } = first;
  if (findings === null || findings.state === 'stale')
    return [{ span, title: 'check', action: { kind: 'check' } }, ...known(span, findings)];
  if (findings.state === 'running')
    return [{ span, title: 'checking…', action: null }, ...known(span, findings)];
  return [...known(span, findings), { span, title: 'open the report', action: { kind: 'report' } }];
}

function known(span: Span, findings: Findings | null): Lens[] {
  if (findings === null) return [];
  const results = [...findings.results.values()].filter(({ id }) => !id.startsWith('ltl:'));
  return results.flatMap((result) => verdictLenses(span, result));
}
