// What checks have found out about a model, as far as it still holds, put beside the names it is about.

import type { NamedSymbol } from '../source/names.ts';
import { startOf } from '../source/source.ts';
import type { ModelReport, PropertyResult, QueueResult } from '../verdict/verdict.ts';
import type { NameIndex } from './name-index.ts';

export type CheckState = 'running' | 'done' | 'stale';

export class Findings {
  readonly state: CheckState;
  readonly results: ReadonlyMap<string, PropertyResult>;
  /** The last report as a whole, for pages. */
  readonly report: ModelReport | null;
  private readonly index: NameIndex;

  constructor(
    state: CheckState,
    results: ReadonlyMap<string, PropertyResult>,
    report: ModelReport | null,
    index: NameIndex,
  ) {
    this.state = state;
    this.results = results;
    this.report = report;
    this.index = index;
  }

  private get queues(): readonly QueueResult[] {
    return this.results.get('bounded')?.queues ?? [];
  }

  /** The queues that a declaration makes: several for an array, or for a process that runs more than once. */
  queuesOf(symbol: NamedSymbol): QueueResult[] {
    if (symbol.at === null) return [];
    const owner = symbol.container === null ? null : this.index.names.symbols[symbol.container]!;
    const wanted = owner === null ? symbol.name : `${owner.name}.${symbol.name}`;
    const { file } = startOf(symbol.at);
    const plain = (name: string): string => name.replace(/\[[^\]]*\]|\(\d+\)/g, '');
    return this.queues.filter(
      ({ name, at }) => plain(name) === wanted && (at === undefined || owner !== null || at.file === file),
    );
  }

  /** What processes of this kind wait for, for ever, in the run that refutes freedom from deadlocks. */
  waiting(process: string): string[] {
    const result = this.results.get('deadlock-free');
    if (result?.verdict !== 'refuted') return [];
    const blocked = result.evidence.run.blocked?.processes ?? [];
    const own = blocked.filter((one) => one.process.replace(/[([].*$/, '').trim() === process);
    return own.map(({ waitsFor, statement }) => waitsFor[0]?.text ?? `at ${statement}`);
  }

  formula(name: string): PropertyResult | null {
    return this.results.get(`ltl:${name}`) ?? this.results.get(`live:${name}`) ?? null;
  }
}

export function boundText({ verdict, bound, declared }: QueueResult): string {
  if (verdict === 'refuted') return 'unbounded: grows without limit';
  if (bound === null) return 'no bound is known';
  const messages = `${bound} message${bound === 1 ? '' : 's'}`;
  const capacity = declared > 0 ? ` (capacity ${declared})` : '';
  return `at most ${messages}${capacity}`;
}

const SIGNS = { proved: '✓', refuted: '✗', unknown: '?' } as const;

export function verdictText({ id, verdict, ...rest }: PropertyResult): string {
  const reason = 'reason' in rest && typeof rest.reason === 'string' ? `: ${rest.reason}` : '';
  return `${SIGNS[verdict]} ${id} ${verdict}${verdict === 'unknown' ? reason : ''}`;
}
