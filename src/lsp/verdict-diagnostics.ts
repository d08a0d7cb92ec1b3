// What a check refuted, shown where it happens: the queue that grows, the processes that are stuck, the statement a bad run ends at.

import type { Findings } from '../service/findings.ts';
import type { Understanding } from '../service/service.ts';
import type { Position } from '../source/source.ts';
import type { PropertyResult } from '../verdict/verdict.ts';

export interface PlacedVerdict {
  readonly path: string;
  readonly diagnostic: unknown;
}

export function verdictDiagnostics(findings: Findings, { root }: Understanding): PlacedVerdict[] {
  return [...findings.results.values()]
    .filter(({ verdict }) => verdict === 'refuted')
    .flatMap((result) =>
      placesOf(result).map(({ at, message }) => ({
        path: at?.file ?? root,
        diagnostic: {
          range: lineOf(at),
          severity: 2,
          code: result.id,
          source: 'spillway check',
          message,
        },
      })),
    );
}

interface Place {
  readonly at: Position | null;
  readonly message: string;
}

function placesOf(result: PropertyResult): Place[] {
  if (result.verdict !== 'refuted') return [];
  const grows = (result.queues ?? []).filter(({ verdict }) => verdict === 'refuted');
  if (grows.length > 0)
    return grows.map(({ name, at }) => ({
      at: at ?? null,
      message: `the queue ${name} grows without limit`,
    }));
  const run = result.evidence.kind === 'run' ? result.evidence.run : null;
  const blocked = run?.blocked?.processes ?? [];
  if (blocked.length > 0)
    return blocked.map(({ process, at, waitsFor }) => ({
      at,
      message: `${result.id} is refuted: ${process} waits for ever${waitsFor[0] === undefined ? '' : `, for ${waitsFor[0].text}`}`,
    }));
  const last = run?.steps.findLast(({ at }) => at !== null) ?? null;
  return [
    { at: last?.at ?? null, message: `${result.id} is refuted${run === null ? '' : `: ${run.title}`}` },
  ];
}

/** From the place to the end of its line. */
function lineOf(at: Position | null) {
  const line = Math.max(0, (at?.line ?? 1) - 1);
  const character = Math.max(0, (at?.column ?? 1) - 1);
  return { start: { line, character }, end: { line, character: character + 1000 } };
}
