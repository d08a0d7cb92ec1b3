// The model's text with every channel's capacity set to its proven bound. The text is changed only between the brackets of the
// capacity, so that comments, macros and layout stay the user's.

import type { ChannelSite, Program } from '../../process/program.ts';
import type { QueueResult } from '../../verdict/verdict.ts';

export interface Tightened {
  readonly text: string;
  /** What was left as it is, and why. */
  readonly kept: readonly { readonly queue: string; readonly why: string }[];
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly capacity: number;
}

export function tighten(
  program: Program,
  path: string,
  text: string,
  queues: readonly QueueResult[],
): Tightened {
  const kept: { queue: string; why: string }[] = [];
  const edits = new Map<number, Edit>();
  for (const site of program.channelSites) {
    if (site.capacity === 0) continue;
    const name = siteName(program, site);
    const edit = editOf(site, path, text, queuesOf(name, queues));
    if (typeof edit === 'string') {
      kept.push({ queue: name, why: edit });
      continue;
    }
    // A channel inside a typedef is declared once and used by many variables: the largest bound counts.
    const known = edits.get(edit.start);
    edits.set(edit.start, known === undefined || known.capacity < edit.capacity ? edit : known);
  }
  let result = text;
  for (const edit of [...edits.values()].sort((a, b) => b.start - a.start)) {
    result = result.slice(0, edit.start) + edit.capacity + result.slice(edit.end);
  }
  return { text: result, kept };
}

/** Name without index, as in reports: `link`, `proctype.name`. */
function siteName(program: Program, site: ChannelSite): string {
  const variable = program.variables[site.variable]!;
  const owner = variable.owner === null ? [] : [program.proctypes[variable.owner]!.name];
  return [...owner, variable.name, ...site.fieldPath].join('.');
}

function queuesOf(name: string, queues: readonly QueueResult[]): QueueResult[] {
  return queues.filter((queue) => queue.name.replace(/\[\d+\]/g, '') === name);
}

function editOf(
  site: ChannelSite,
  path: string,
  text: string,
  queues: readonly QueueResult[],
): Edit | string {
  if (queues.some((queue) => queue.bound === null && queue.exact === null)) return 'no bound is proved';
  if (site.span.file.path !== path) return `declared in ${site.span.file.path}`;
  const open = text.indexOf('[', site.span.start);
  const close = text.indexOf(']', open);
  const initialiser = text.slice(site.span.start, close + 1).match(/(?:^|=\s*)\[[^\]]*\]$/);
  if (open < 0 || close < 0 || initialiser === null) return 'its capacity is written in a macro';
  const bounds = queues.map((queue) => queue.exact ?? queue.bound!);
  // A capacity of zero would make it a rendezvous channel: another thing altogether.
  return { start: open + 1, end: close, capacity: Math.max(1, ...bounds) };
}
