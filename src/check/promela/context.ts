// What every analysis of one Promela model shares.

import { shellWord } from '../../base/shell.ts';
import type { Program } from '../../process/program.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import type { CheckRequest } from '../language.ts';

export interface PromelaContext {
  readonly program: Program;
  readonly request: CheckRequest;
  /** Where analyses leave what is wrong with the request, such as a progress selector that names nothing. */
  readonly diagnostics: Diagnostic[];
}

/** The command that gives this verdict again. */
export function reproduce({ request }: PromelaContext, property: string): string {
  const { options } = request;
  return [
    'spillway check',
    ...request.paths.map(shellWord),
    `--property ${shellWord(property)}`,
    ...(options.method === undefined ? [] : [`--method ${options.method}`]),
    ...(options.progress ?? []).map((selector) => `--progress ${shellWord(selector)}`),
    ...(options.exact ? ['--exact'] : []),
    ...(options.confirm === false ? ['--no-confirm'] : []),
    ...(options.extra?.['fair'] === true ? ['--fair'] : []),
    ...(options.defines ?? []).map((define) => `-D${shellWord(define)}`),
    ...(options.includes ?? []).map((folder) => `-I${shellWord(folder)}`),
  ].join(' ');
}
