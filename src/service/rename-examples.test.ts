// Every name of every one of Debian's examples can be renamed: SPIN accepts the new model, and it has as many states. A sample by default,
// all of them with SPILLWAY_FUZZ.

import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { debianExamples, type ExampleModel } from '../testing/debian-examples.ts';
import { type PanAnswer, runPan } from '../testing/pan.ts';
import { hasProgram } from '../testing/programs.ts';
import { rename } from './rename.ts';
import { LanguageService, type Understanding } from './service.ts';

const all = process.env['SPILLWAY_FUZZ'] !== undefined;
const examples = debianExamples();
const usable = examples.length > 0 && hasProgram('spin') && hasProgram('gcc');

async function understand(model: ExampleModel): Promise<Understanding> {
  const folder = dirname(model.path);
  const read = (path: string): string | null =>
    path === model.path ? model.text : (model.beside.get(path.slice(folder.length + 1)) ?? null);
  const understanding = await new LanguageService({ read }).understand(model.path);
  return understanding!;
}

/** To this depth: the search of a renamed model is cut at the same place, while a limit of memory would count the letters of names, too. */
function states(text: string, beside: ReadonlyMap<string, string>, depth: number): PanAnswer | null {
  return runPan(text, {
    files: beside,
    small: true,
    seconds: 1200,
    compile: ['-DSAFETY', '-DNOREDUCE', '-DNOCLAIM', `-DMEMLIM=${all ? 24 : 10}`],
    run: ['-c0', '-n', `-m${depth}`, '-w16'],
  });
}

/** As deep as memory allows; in short runs only as deep as is quickly done. */
function depthFor({ text, beside }: ExampleModel): { depth: number; answer: PanAnswer } | null {
  for (const depth of all ? [3000, 500, 200, 100, 60, 40, 25] : [60, 40, 25]) {
    const answer = states(text, beside, depth);
    if (answer === null) return null;
    if (!/MEMLIM|memory/.test(answer.output.split('Full statespace')[0] ?? '')) return { depth, answer };
  }
  return null;
}

/** One place of each name that can be told apart. */
function targets({
  index,
}: Understanding): { path: string; offset: number; name: string; isLabel: boolean }[] {
  const groups = new Map<number, { path: string; offset: number; name: string; isLabel: boolean }>();
  for (const [id, { at, name, kind, fixed }] of index.names.symbols.entries()) {
    const group = index.names.groupOf(id);
    if (at === null || name === 'init' || fixed !== undefined) continue;
    const known = groups.get(group);
    if (known === undefined)
      groups.set(group, { path: at.file.path, offset: at.start, name, isLabel: kind === 'label' });
  }
  return [...groups.values()].filter(({ name }) => name !== 'never');
}

function applied(
  model: ExampleModel,
  understanding: Understanding,
  target: ReturnType<typeof targets>[number],
  fresh: string,
): { text: string; beside: Map<string, string> } {
  const prefix = target.isLabel ? (/^(end|progress|accept)/.exec(target.name)?.[0] ?? '') : '';
  const renaming = rename(understanding, target.path, target.offset, `${prefix}${fresh}`);
  if (renaming.kind === 'refused') throw new Error(`${target.name}: ${renaming.reason}`);
  const folder = dirname(model.path);
  let { text } = model;
  const beside = new Map(model.beside);
  for (const { file, start, end } of [...renaming.spans].sort((a, b) => b.start - a.start)) {
    const put = (old: string): string => old.slice(0, start) + renaming.text + old.slice(end);
    const name = file.path.slice(folder.length + 1);
    if (file.path === model.path) text = put(text);
    else beside.set(name, put(beside.get(name)!));
  }
  return { text, beside };
}

describe.skipIf(!usable)("renaming in Debian's examples", () => {
  // Every third by default.
  test.each(examples.filter((_, i) => all || i % 6 === 0))('$name', { timeout: 3_600_000 }, async (model) => {
    const before = depthFor(model);
    if (before === null) return;
    const understanding = await understand(model);
    const names = targets(understanding);
    const place = examples.indexOf(model);
    const chosen = all ? names : names.filter((_, i) => i === (place * 7) % Math.max(1, names.length));
    for (const [i, target] of chosen.entries()) {
      const { text, beside } = applied(model, understanding, target, `zq${i}x`);
      let reason = '';
      const after =
        states(text, beside, before.depth) ??
        runPan(text, { files: beside, small: true }, (why) => {
          reason = why;
        });
      expect(after?.states ?? `${target.name}: ${reason}`, target.name).toBe(before.answer.states);
    }
  });
});
