// The models of corpus/kripke, for tests.

import { readFileSync } from 'node:fs';
import { render } from '../source/diagnostic.ts';
import { loadModel } from './load.ts';
import type { KripkeModel } from './model.ts';
import type { System } from './system.ts';
import { compose } from './system.ts';

const FOLDER = new URL('../../corpus/kripke/', import.meta.url);

export function loadCorpus(
  name: string,
  defines: readonly string[] = [],
): { model: KripkeModel; system: System } {
  const path = `${name}.lks`;
  const files = { read: () => readFileSync(new URL(path, FOLDER), 'utf8') };
  const { model, diagnostics } = loadModel([path], files, defines);
  if (model === null) throw new Error(diagnostics.map(render).join('\n'));
  return { model, system: compose(model.components) };
}

/** A model written in the test. */
export function loadText(
  text: string,
  defines: readonly string[] = [],
): { model: KripkeModel; system: System } {
  const { model, diagnostics } = loadModel(['test.lks'], { read: () => text }, defines);
  if (model === null) throw new Error(diagnostics.map(render).join('\n'));
  return { model, system: compose(model.components) };
}
