// What the threads of a search send each other: a job at the beginning, a report at the end. Reports go through shared memory, so that whoever waits for
// one needs no event loop.

import type { Help } from '../base/budget.ts';
import type { Program } from '../process/program.ts';
import type { CompileOptions, Model } from './compile.ts';
import type { Found } from './findings.ts';
import type { NativeEngine } from './native.ts';
import { SharedEngine, type SharedEvents, type SharedPlace } from './native-shared.ts';
import type { SearchOptions } from './search.ts';
import { Team } from './team.ts';

/** What a thread needs to help; can be sent to it. */
export interface HelpJob {
  readonly program: Program;
  readonly compile: CompileOptions;
  readonly options: SearchOptions;
  readonly arrows: boolean;
  readonly place: SharedPlace;
  readonly team: SharedArrayBuffer;
  readonly report: SharedArrayBuffer;
  /** Its number in the team. */
  readonly me: number;
}

export interface HelperReport extends Found {
  readonly peaks: readonly number[];
  /** Ranges of states that it had still to expand: first and end by turns. */
  readonly rest: readonly number[];
  readonly isMemoryOver: boolean;
}

/** Pages that are not written take no memory. */
const REPORT_BYTES = 1 << 26;

export function writeReport(buffer: SharedArrayBuffer, report: HelperReport): void {
  const { violations } = report;
  for (let kept = violations.length; ; kept = kept >>> 1) {
    const bytes = new TextEncoder().encode(
      JSON.stringify({ ...report, violations: violations.slice(0, kept) }),
    );
    if (bytes.length + 4 > buffer.byteLength) {
      if (kept === 0) throw new Error('a report that is too long');
      continue;
    }
    new Uint8Array(buffer, 4).set(bytes);
    Atomics.store(new Int32Array(buffer, 0, 1), 0, bytes.length);
    return;
  }
}

/** Null: there is none. */
function readReport(buffer: SharedArrayBuffer): HelperReport | null {
  const length = Atomics.load(new Int32Array(buffer, 0, 1), 0);
  if (length === 0) return null;
  return JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length).slice())) as HelperReport;
}

/** Callbacks and the edges of the graph stay in one thread. */
export function canBeShared(model: Model, options: SearchOptions): boolean {
  const { onState, onExpanded, markStep, graph, shuffle, reduce } = options;
  if (onState !== undefined || onExpanded !== undefined || markStep !== undefined) return false;
  return !graph && shuffle === undefined && model.claim === null && typeof reduce !== 'object';
}

export interface Start {
  readonly threads: number;
  readonly events: () => SharedEvents;
  readonly arrows: boolean;
}

/** Shares an engine's store with as many threads as that; the first is this one. */
export function startTogether(
  model: Model,
  engine: NativeEngine,
  { endStates, assertions, all, each, keep, reduce, order }: SearchOptions,
  help: Help,
  { threads, events, arrows }: Start,
): { team: Team; shared: SharedEngine; reports: () => readonly HelperReport[] } {
  const team = Team.of(threads, help.patience);
  const shared = SharedEngine.adopt(model, engine, events(), arrows);
  const wanted = { endStates, assertions, all, each, keep, reduce, order };
  const options = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
  const buffers: SharedArrayBuffer[] = [];
  for (let me = 1; me < threads; me++) {
    const report = new SharedArrayBuffer(REPORT_BYTES);
    buffers.push(report);
    const job: HelpJob = {
      program: model.program,
      compile: model.options,
      options,
      arrows,
      place: shared.placeForAnother(),
      team: team.buffer,
      report,
      me,
    };
    help.start(job);
  }
  return { team, shared, reports: () => buffers.map(readReport).filter((report) => report !== null) };
}
