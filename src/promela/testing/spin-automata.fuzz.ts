// SPIN as the judge, for tests: does it accept a model, and which automata does it build?

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileSystem } from '../../source/source.ts';
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

export function spinAcceptsFile(path: string): boolean {
  return inTemporaryFolder((folder) => {
    const run = runProgram('spin', ['-a', path], { cwd: folder });
    return run.status === 0 && existsSync(join(folder, 'pan.c'));
  });
}

export function spinAccepts(text: string): boolean {
  return inTemporaryFolder((folder) => {
    const path = join(folder, 'model.pml');
    writeFileSync(path, text);
    return spinAcceptsFile(path);
  });
}

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

/** Proctype name → automaton without statement merging; null when SPIN or the compiler refuses the model. */
export function spinAutomata(path: string): Map<string, SpinAutomaton> | null {
  return inTemporaryFolder((folder) => {
    const options = { cwd: folder };
    if (runProgram('spin', ['-o3', '-a', path], options).status !== 0) return null;
    const build = ['-w', '-DNOREDUCE', '-o', 'pan', 'pan.c'];
    if (!COMPILERS.some((compiler) => runProgram(compiler, build, options).status === 0)) return null;
    return readTables(runProgram('./pan', ['-d'], options).stdout);
  });
}

export function spinAutomataOf(text: string): Map<string, SpinAutomaton> | null {
  return inTemporaryFolder((folder) => {
    const path = join(folder, 'model.pml');
    writeFileSync(path, text);
    return spinAutomata(path);
  });
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
