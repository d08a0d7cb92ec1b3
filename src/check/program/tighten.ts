// The model's text with every channel's capacity set to its proven bound. The text is changed only between the brackets of the
// capacity, so that comments, macros and layout stay the user's.

import type { ChannelSite, Program } from '../../process/program.ts';
import { walkProgram } from '../../process/walk.ts';
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
  const queries = queriesOf(program);
  for (const site of program.channelSites) {
    if (site.capacity === 0) continue;
    const name = siteName(program, site);
    const found = editOf(site, path, text, queuesOf(name, queues));
    const edit = typeof found === 'string' ? found : (whyVisible(queries, site, found.capacity) ?? found);
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

const queriesOf = (program: Program): ReadonlySet<string> => {
  const found = new Set<string>();
  walkProgram(program, null, {
    expression: (expression) => {
      if (expression.kind === 'channel-query') found.add(expression.query);
    },
  });
  return found;
};

/** A capacity that the model can see is part of what it does: then another one would be another model. Channels travel, so all count. */
function whyVisible(queries: ReadonlySet<string>, site: ChannelSite, capacity: number): string | null {
  if (capacity === site.capacity) return null;
  if (queries.has('full') || queries.has('nfull')) return 'the model tests whether channels are full';
  // With less room than the bound sends wait, and lengths are others than with enough of it.
  return queries.has('len') && capacity > site.capacity ? 'the model tests lengths of channels' : null;
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
