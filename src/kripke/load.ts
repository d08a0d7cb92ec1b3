// Files in, one model out: .lks and .aut, one file or several composed.

import type { Diagnostic } from '../source/diagnostic.ts';
import { hasErrors } from '../source/diagnostic.ts';
import { type FileSystem, SourceFile } from '../source/source.ts';
import { parseAut } from './aut.ts';
import { problem } from './lexer.ts';
import type { KripkeModel } from './model.ts';
import { checkCompatible, joinModels, loadLks, warnLonelyEvents } from './model.ts';

export interface LoadedModel {
  /** Null when there are errors. */
  readonly model: KripkeModel | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string>;
}

export function loadModel(
  paths: readonly string[],
  files: FileSystem,
  defines: readonly string[],
): LoadedModel {
  const diagnostics: Diagnostic[] = [];
  const sources = new Map<string, string>();
  const models: KripkeModel[] = [];
  for (const path of paths) {
    const text = files.read(path);
    if (text === null) {
      diagnostics.push(problem('SPW3031', `${path}: no such file, or not readable`, null));
      continue;
    }
    sources.set(path, text);
    const model = loadFile(new SourceFile(path, text), defines, diagnostics);
    if (model !== null) models.push(model);
  }
  if (hasErrors(diagnostics)) return { model: null, diagnostics, sources };
  const model = withDistinctNames(joinModels(models));
  checkCompatible(model, diagnostics);
  warnLonelyEvents(model, diagnostics);
  return { model: hasErrors(diagnostics) ? null : model, diagnostics, sources };
}

function loadFile(
  file: SourceFile,
  defines: readonly string[],
  diagnostics: Diagnostic[],
): KripkeModel | null {
  if (!file.path.endsWith('.aut')) return loadLks(file, defines, diagnostics);
  const name = file.path.replace(/^.*\//, '').replace(/\.aut$/, '');
  const structure = parseAut(file, name, diagnostics);
  if (structure === null) return null;
  const origin = { file, start: 0, end: Math.max(1, file.text.indexOf('\n')) };
  return {
    components: [structure],
    origins: [origin],
    formulas: [],
    deadlockFree: false,
    constants: new Map(),
  };
}

/** The same file or component may come twice: a#2. */
function withDistinctNames(model: KripkeModel): KripkeModel {
  const seen = new Map<string, number>();
  const components = model.components.map((structure) => {
    const count = (seen.get(structure.name) ?? 0) + 1;
    seen.set(structure.name, count);
    return count === 1 ? structure : { ...structure, name: `${structure.name}#${count}` };
  });
  return { ...model, components };
}
