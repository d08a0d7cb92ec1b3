// What `spillway split`, `infer` and `graph` do with an .ecfsm model.

import { Analysis } from '../ecfsm/analyse.ts';
import { drawGraph, drawMachines } from '../ecfsm/liveness/draw.ts';
import { showModel } from '../ecfsm/report/print.ts';
import { Decider } from '../ecfsm/solver/decider.ts';
import type { SplitBy } from '../ecfsm/split/split.ts';
import { splitModel } from '../ecfsm/split/split.ts';
import type { Loaded, WorkRequest } from '../engine/language.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { ControlGraph, Verdict } from '../verdict/verdict.ts';
import { readFrom, withInvariant } from './ecfsm.ts';

type Request = Pick<WorkRequest, 'files' | 'budget' | 'observer'> & { readonly path: string };

export interface ToolResult {
  /** Null with errors in the input. */
  readonly text: string | null;
  readonly diagnostics: readonly Diagnostic[];
  /** One line for the terminal. */
  readonly summary: string;
  readonly verdict: Verdict;
}

const failed = (diagnostics: readonly Diagnostic[]): ToolResult => ({
  text: null,
  diagnostics,
  summary: '',
  verdict: 'unknown',
});

export async function splitFile(request: Request, by: SplitBy): Promise<ToolResult> {
  const read = await readFrom(request.files, request.path);
  if (read.model === null) return failed(read.diagnostics);
  const { model, diagnostics } = await withInvariant(read.model, request.path, request);
  if (model === null) return failed(diagnostics);
  const decider = new Decider();
  try {
    const divided = await splitModel(model, decider, by);
    return {
      text: showModel(divided, 'by disjuncts'),
      diagnostics: read.diagnostics,
      summary: `${model.invariant.length} disjuncts became ${divided.invariant.length}`,
      verdict: 'proved',
    };
  } finally {
    decider.dispose();
  }
}

/** A new formula, whether or not there is one already; proved before it is called an invariant. */
export async function inferFile(request: Request, fine: boolean): Promise<ToolResult> {
  const read = await readFrom(request.files, request.path);
  if (read.model === null) return failed(read.diagnostics);
  const goals = read.model.goalTexts.length === 0 ? [] : read.model.goals;
  const bare = { ...read.model, invariant: [], goals };
  const { model, diagnostics } = await withInvariant(bare, request.path, request, fine);
  if (model === null) return failed(diagnostics);
  if (model.invariant.length === 0)
    return {
      text: null,
      diagnostics: read.diagnostics,
      summary: 'no formula was found within the limits',
      verdict: 'unknown',
    };
  const analysis = new Analysis(model, request.budget, request.observer);
  try {
    const { verdict, method } = await analysis.safe();
    const says = {
      proved:
        method === 'induction' ? 'proved: the protocol is safe' : 'not inductive, but the protocol is safe',
      refuted: 'of no use: the protocol is not safe (spillway check shows a run)',
      unknown: 'not inductive: a beginning, to be completed by hand (or try --fine)',
    }[verdict];
    return {
      text: showModel(model, 'as written'),
      diagnostics: read.diagnostics,
      summary: `a formula of ${model.invariant.length} disjuncts, ${says}`,
      verdict,
    };
  } finally {
    analysis.dispose();
  }
}

/** The machines and, if the formula is proved safe, its degenerated reachability graph. */
export async function ecfsmGraphs(request: WorkRequest): Promise<Loaded<readonly ControlGraph[]>> {
  const path = request.paths[0]!;
  const read = await readFrom(request.files, path);
  const { sources } = read;
  if (read.model === null) return { model: null, diagnostics: read.diagnostics, sources };
  const machines = drawMachines(read.model.protocol);
  const { model, diagnostics } = await withInvariant(read.model, path, request);
  if (model === null) return { model: null, diagnostics, sources };
  const analysis = new Analysis(model, request.budget, request.observer);
  try {
    const { verdict, method } = await analysis.safe();
    const built = verdict === 'proved' && method === 'induction' ? await analysis.graph(0) : null;
    if (built !== null)
      return {
        model: [...machines, drawGraph(built.model, built.graph)],
        diagnostics: read.diagnostics,
        sources,
      };
    const missing: Diagnostic = {
      code: 'SPW4401',
      severity: 'warning',
      message: 'the formula is not proved safe, so it has no graph: only the machines are drawn',
      span: null,
      help: `spillway check ${path} says what is wrong`,
    };
    return { model: machines, diagnostics: [...read.diagnostics, missing], sources };
  } finally {
    analysis.dispose();
  }
}
