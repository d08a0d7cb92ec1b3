// SPIN as the judge: a model's text in, what SPIN's verifier says out.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';

export interface PanOptions {
  /** For spin; the defaults turn its own optimisations off. */
  readonly spin?: readonly string[];
  /** For the C compiler. */
  readonly compile?: readonly string[];
  /** For the verifier. */
  readonly run?: readonly string[];
  /** Only for what hangs: a search is limited by -DMEMLIM and -m, so that its answer does not depend on the machine. */
  readonly seconds?: number;
  /** The verifier has little to do: compile it quickly rather than well. */
  readonly small?: boolean;
  /** Further files beside the model: name → text. */
  readonly files?: ReadonlyMap<string, string>;
}

export interface PanAnswer {
  readonly states: number;
  readonly transitions: number;
  readonly errors: number;
  /** The search ended by itself, not at a limit. */
  readonly complete: boolean;
  readonly output: string;
  /** The trail of the last violation it wrote down. */
  readonly trail: string | null;
}

/**
 * SPIN starts the C compiler as its preprocessor, which takes longer than SPIN itself. Where there is nothing for it to do (no directives, no comments, no
 * lines that go on) the text is only copied.
 */
export const preprocessorFor = (text: string): readonly string[] =>
  /[#\\]|\/[/*]/.test(text) ? [] : ['-Pcat'];

/** All statements separate, no reductions: the plain state graph. */
const PLAIN_SPIN = ['-o1', '-o2', '-o3'];

/** tcc compiles a verifier in a twentieth of the time gcc takes; for small models that is most of it. */
const QUICK_COMPILER = runProgram('tcc', ['-v']).status === 0 ? 'tcc' : 'gcc';

/** Null when SPIN rejects the model or the time is over; `why` is told the reason. */
export function runPan(
  text: string,
  options: PanOptions = {},
  why: (reason: string) => void = () => {},
): PanAnswer | null {
  // The memory for a deep search takes longer to clear than a small model to search.
  const sizes = options.small ? ['-m50000', '-w16'] : ['-m1000000'];
  return withPan(
    text,
    options,
    (pan, folder) => {
      const answer = parse(pan(options.run ?? ['-c0', '-n', ...sizes]), why);
      const trail = join(folder, 'model.pml.trail');
      return answer && { ...answer, trail: existsSync(trail) ? readFileSync(trail, 'utf8') : null };
    },
    why,
  );
}

/** Makes the verifier and hands over how it is run; null when SPIN rejects the model. */
export function withPan<T>(
  text: string,
  options: Omit<PanOptions, 'run'>,
  use: (pan: (args: readonly string[]) => string, folder: string) => T,
  why: (reason: string) => void = () => {},
): T | null {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-pan-'));
  try {
    const run = (command: string, args: readonly string[]): { status: number | null; output: string } => {
      const { status, stdout, stderr } = runProgram(command, args, {
        cwd: folder,
        ...(options.seconds !== undefined && { seconds: options.seconds }),
      });
      return { status, output: stdout + stderr };
    };
    writeFileSync(join(folder, 'model.pml'), text);
    for (const [name, content] of options.files ?? []) writeFileSync(join(folder, name), content);
    const spin = run('spin', [...preprocessorFor(text), '-a', ...(options.spin ?? PLAIN_SPIN), 'model.pml']);
    if (spin.status !== 0) return give(why, spin.output);
    const flags = options.compile ?? ['-DSAFETY', '-DNOREDUCE', '-DNOCLAIM'];
    const made = run(options.small ? QUICK_COMPILER : 'gcc', [
      '-w',
      ...flags,
      '-DVECTORSZ=8192',
      '-o',
      'pan',
      'pan.c',
    ]);
    if (made.status !== 0) return give(why, made.output);
    return use((args) => run('./pan', args).output, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function give(why: (reason: string) => void, reason: string): null {
  why(reason);
  return null;
}

function parse(output: string, why: (reason: string) => void): Omit<PanAnswer, 'trail'> | null {
  const number = (pattern: RegExp): number => Number(pattern.exec(output)?.[1] ?? Number.NaN);
  const answer = {
    states: number(/([\d.e+]+) states, stored/),
    transitions: number(/([\d.e+]+) transitions/),
    errors: number(/errors: (\d+)/),
    complete: !/Search not completed|too small/.test(output),
    output,
  };
  return Number.isNaN(answer.states) ? give(why, output) : answer;
}
