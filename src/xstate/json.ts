// A machine's configuration as JSON: it names guards, actions and actors, and has none of them. A guard may be true or false; an actor ends in any
// way, like a promise; an action is taken to send nothing, and a hint says so.

import type { Diagnostic } from '../source/diagnostic.ts';
import type { SourceFile } from '../source/source.ts';

/** What keeps the text from being one; null for nothing. */
export function jsonProblem(file: SourceFile): Diagnostic | null {
  const error = (message: string, start: number): Diagnostic => ({
    code: 'SPW7003',
    severity: 'error',
    message,
    span: { file, start, end: start + 1 },
  });
  try {
    const value: unknown = JSON.parse(file.text);
    const isConfig = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isConfig ? null : error('a machine is an object', 0);
  } catch (problem) {
    const { message } = problem as Error;
    return error(`not JSON: ${message}`, Number(/position (\d+)/.exec(message)?.[1] ?? 0));
  }
}

export interface JsonNames {
  readonly actors: readonly string[];
  readonly actions: readonly string[];
}

/** The names that a configuration gives to what it does not have. */
export function jsonNames(config: unknown): JsonNames {
  const actors = new Set<string>();
  const actions = new Set<string>();
  const named = (value: unknown, key: 'src' | 'type'): string[] =>
    (Array.isArray(value) ? value : [value]).flatMap((one) => {
      const name = typeof one === 'object' && one !== null ? (one as Record<string, unknown>)[key] : one;
      return typeof name === 'string' ? [name] : [];
    });
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'invoke') for (const name of named(inner, 'src')) actors.add(name);
      if (key === 'entry' || key === 'exit' || key === 'actions')
        for (const name of named(inner, 'type')) if (!name.startsWith('xstate.')) actions.add(name);
      walk(inner);
    }
  };
  walk(config);
  return { actors: [...actors], actions: [...actions] };
}

/** One hint for each action; the text is known to be JSON. */
export function jsonHints(file: SourceFile): Diagnostic[] {
  return jsonNames(JSON.parse(file.text)).actions.map((name) => {
    const start = Math.max(0, file.text.indexOf(JSON.stringify(name)));
    return {
      code: 'SPW7024',
      severity: 'hint',
      message: `the action '${name}' has no code here: it is taken to send nothing`,
      span: { file, start, end: start + JSON.stringify(name).length },
      help: 'where it sends or raises events, check the module that implements it',
    };
  });
}
