// SPIN as the judge, for tests: does it accept a model, and which automata does it build?

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileSystem } from '../../source/source.ts';
import { preprocessorFor } from '../../testing/pan.ts';
import { runProgram } from '../../testing/run-program.ts';

const EXAMPLES = '/usr/share/doc/spin/examples';

const works = (command: string, ...args: string[]): boolean => runProgram(command, args).status === 0;

export const hasSpin: boolean = works('spin', '-V');
export const hasCompiler: boolean = hasSpin && works('gcc', '--version');
/** tcc takes a twentieth of the time, and the verifier only prints its tables; what it refuses is for gcc. */
const COMPILERS = works('tcc', '-v') ? ['tcc', 'gcc'] : ['gcc'];

if (!hasSpin) console.log('skipped: comparisons with SPIN (the program `spin` is not installed)');
else if (!hasCompiler) console.log('skipped: comparisons with SPIN automata (`gcc` is not installed)');

export const diskFiles: FileSystem = {
  read: (path) => (existsSync(path) && statSync(path).isFile() ? readFileSync(path, 'utf8') : null),
};

/** Every example model of Debian's package; files meant for #include (.h) aside. */
export function exampleModels(folder = EXAMPLES): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.pml'))
    .map((name) => join(folder, name))
    .sort();
}

function inTemporaryFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-spin-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What SPIN makes of a model: nothing when it refuses it. One run of SPIN answers both questions, whether it accepts a model and which automata it builds. */
interface Judgement {
  readonly accepted: boolean;
  readonly automata: ReadonlyMap<string, SpinAutomaton> | null;
}
const judgements = new Map<string, Judgement>();

function judge(path: string, text: string): Judgement {
  return inTemporaryFolder((folder) => {
    const options = { cwd: folder };
    const { status } = runProgram('spin', [...preprocessorFor(text), '-o3', '-a', path], options);
    const accepted = status === 0 && existsSync(join(folder, 'pan.c'));
    const build = ['-w', '-DNOREDUCE', '-o', 'pan', 'pan.c'];
    const isBuilt =
      accepted && COMPILERS.some((compiler) => runProgram(compiler, build, options).status === 0);
    return { accepted, automata: isBuilt ? readTables(runProgram('./pan', ['-d'], options).stdout) : null };
  });
}

function judgementOfFile(path: string): Judgement {
  const known = judgements.get(path) ?? judge(path, readFileSync(path, 'utf8'));
  judgements.set(path, known);
  return known;
}

function judgementOfText(text: string): Judgement {
  const known =
    judgements.get(text) ??
    inTemporaryFolder((folder) => {
      const path = join(folder, 'model.pml');
      writeFileSync(path, text);
      return judge(path, text);
    });
  judgements.set(text, known);
  return known;
}

export const spinAcceptsFile = (path: string): boolean => judgementOfFile(path).accepted;
export const spinAccepts = (text: string): boolean => judgementOfText(text).accepted;

/** Proctype name → automaton without statement merging; null when SPIN or the compiler refuses the model. */
export const spinAutomata = (path: string): Judgement['automata'] => judgementOfFile(path).automata;
export const spinAutomataOf = (text: string): Judgement['automata'] => judgementOfText(text).automata;

export interface SpinEdge {
  readonly to: number;
  /** The statement's number in trail files. */
  readonly element: number;
  readonly atomic: boolean;
  readonly dstep: boolean;
  readonly text: string;
}

export interface SpinState {
  readonly edges: SpinEdge[];
  readonly end: boolean;
  readonly progress: boolean;
  readonly accept: boolean;
}

export interface SpinAutomaton {
  readonly initial: number;
  readonly states: ReadonlyMap<number, SpinState>;
}

const EDGE =
  /^\tstate +(\d+) -\(tr +\d+\)-> state +(\d+) +\[id +(\d+)[^\]]*\] \[(.)(.)(.)(.).\] [^=]*=> (.*)$/;

function readTables(output: string): Map<string, SpinAutomaton> {
  const result = new Map<string, SpinAutomaton>();
  let states = new Map<number, SpinState>();
  let name: string | null = null;
  for (const line of output.split('\n')) {
    const title = /^(?:proctype|claim) (\S+)$/.exec(line)?.[1] ?? /^(init)$/.exec(line)?.[1] ?? null;
    if (title !== null || / assertion$/.test(line)) {
      name = title;
      states = new Map();
      continue;
    }
    const edge = EDGE.exec(line);
    if (edge === null || name === null) continue;
    const from = Number(edge[1]);
    if (!result.has(name)) result.set(name, { initial: from, states });
    const flags = { accept: edge[5] === 'a', end: edge[6] === 'e', progress: edge[7] === 'p' };
    if (!states.has(from)) states.set(from, { edges: [], ...flags });
    const to = Number(edge[2]);
    const kind = { atomic: edge[4] === 'A', dstep: edge[4] === 'D' };
    states.get(from)!.edges.push({ to, element: Number(edge[3]), ...kind, text: edge[8]! });
  }
  return result;
}
