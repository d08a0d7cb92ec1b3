// Progress selectors of the command line: which transitions count as progress.
//
//   client(0):tc[0]?ack    a statement of a class (or proctype): as written in the source, or with channels and values filled in
//   tc[0]?ack              the same in any class
//   client:served, served  the transitions that leave a label
//   model.pml:12, 12       the transitions that begin with a statement on a line

import type { Proctype } from '../process/program.ts';
import { showStatement } from '../process/show.ts';
import { type Diagnostic, suggest } from '../source/diagnostic.ts';
import { startOf } from '../source/source.ts';
import type { ClassGraph, ClassStep } from '../system/class-graph.ts';
import type { System } from '../system/instantiate.ts';
import { messageText, sourceText, squeeze } from './text.ts';

export interface SelectedProgress {
  /** Indices of transitions: the steps of all class graphs in order. */
  readonly steps: ReadonlySet<number>;
  readonly diagnostics: readonly Diagnostic[];
}

export function selectProgress(system: System, selectors: readonly string[]): SelectedProgress {
  const steps = new Set<number>();
  const diagnostics: Diagnostic[] = [];
  const all = system.graphs.flatMap((graph) => graph.steps.map((step) => ({ graph, step })));
  for (const selector of selectors) {
    const matches = matcher(system, selector);
    const before = steps.size;
    let matched = false;
    for (const [index, { graph, step }] of all.entries()) {
      if (!matches(graph, step)) continue;
      matched = true;
      steps.add(index);
    }
    if (!matched && steps.size === before) diagnostics.push(namesNothing(system, selector));
  }
  return { steps, diagnostics };
}

type Matcher = (graph: ClassGraph, step: ClassStep) => boolean;

function matcher(system: System, selector: string): Matcher {
  const line = /^(?:(.*):)?(\d+)$/.exec(selector.trim());
  if (line !== null) return onLine(line[1] ?? null, Number(line[2]));
  const { scope, rest } = scopeOf(system, squeeze(selector));
  return (graph, step) =>
    (scope === null || scope(graph)) &&
    (leavesLabel(graph, step, rest) || isStatement(system, graph, step, rest));
}

/** `client(0):…` or `client:…`; anything else before a colon belongs to the statement. */
function scopeOf(
  { graphs }: System,
  selector: string,
): { readonly scope: ((graph: ClassGraph) => boolean) | null; readonly rest: string } {
  for (const { process } of graphs) {
    for (const name of [process.name, process.proctype.name]) {
      const prefix = `${squeeze(name)}:`;
      if (!selector.startsWith(prefix)) continue;
      const scope = (graph: ClassGraph): boolean =>
        graph.process.name === name || graph.process.proctype.name === name;
      return { scope, rest: selector.slice(prefix.length) };
    }
  }
  return { scope: null, rest: selector };
}

function onLine(file: string | null, line: number): Matcher {
  return ({ process }, step) =>
    step.segment.edges.some((id) => {
      const at = startOf(process.proctype.edges[id]!.span);
      const inFile = file === null || at.file === file || at.file.endsWith(`/${file}`);
      return inFile && at.line === line;
    });
}

function leavesLabel({ process, states }: ClassGraph, step: ClassStep, label: string): boolean {
  const location = process.proctype.labels.get(label);
  const { point } = states[step.from]!;
  return location !== undefined && point.inside === null && point.location === location;
}

function isStatement(system: System, graph: ClassGraph, step: ClassStep, text: string): boolean {
  return statementTexts(system, graph.process.proctype, step).includes(text);
}

/** What a user may call a step: the source text of its statements, and its sends and receives with everything filled in. */
function statementTexts({ program, world }: System, proctype: Proctype, step: ClassStep): string[] {
  const written = step.segment.edges.flatMap((id) => {
    const { span, statement } = proctype.edges[id]!;
    return [squeeze(sourceText(span)), squeeze(showStatement(program, statement))];
  });
  const filled = step.effects.map(({ queue, message, kind }) => {
    const fields = messageText(program, queue, message, world.queues.all);
    return squeeze(`${queue.name}${kind === 'send' ? '!' : '?'}${fields}`);
  });
  return [...written, ...filled];
}

function namesNothing(system: System, selector: string): Diagnostic {
  const known = new Set<string>();
  for (const { process, steps } of system.graphs) {
    for (const label of process.proctype.labels.keys())
      known.add(label).add(`${process.proctype.name}:${label}`);
    for (const step of steps) {
      for (const text of statementTexts(system, process.proctype, step))
        known.add(text).add(`${process.name}:${text}`);
    }
  }
  const nearest = suggest(squeeze(selector), known);
  return {
    code: 'SPW2001',
    severity: 'error',
    message: `the progress selector '${selector}' names no statement, label or line that can be reached`,
    span: null,
    ...(nearest === null ? {} : { help: `did you mean '${nearest}'?` }),
  };
}
