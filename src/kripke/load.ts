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
  const aut = models.flatMap(({ components }, i) =>
    components.map(({ name }) => (paths[i]!.endsWith('.aut') ? name : null)),
  );
  const model = withOwnInternals(withDistinctNames(joinModels(models)), aut);
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
  const given = new Set(model.components.map(({ name }) => name));
  const seen = new Set<string>();
  const components = model.components.map((structure) => {
    let { name } = structure;
    for (let count = 2; seen.has(name); count++) {
      const next = `${structure.name}#${count}`;
      if (!given.has(next)) name = next;
    }
    seen.add(name);
    return name === structure.name ? structure : { ...structure, name };
  });
  return { ...model, components };
}

/**
 * The internal events of an .aut file bear the file's name (`x.i`). Two files of the same name, or a label `x.i` of another file, would make them shared: then they get
 * another name, so that they synchronise with nobody.
 */
function withOwnInternals(model: KripkeModel, files: readonly (string | null)[]): KripkeModel {
  const components = [...model.components];
  // The last one first: of two files of the same name the first one keeps its events.
  for (let index = components.length - 1; index >= 0; index--) {
    const file = files[index] ?? null;
    if (file === null) continue;
    const structure = components[index]!;
    const others = components.filter((_, other) => other !== index);
    const isShared = (event: string): boolean => others.some(({ events }) => events.includes(event));
    const events = structure.events.map((event) => {
      if ((event !== `${file}.i` && event !== `${file}.tau`) || !isShared(event)) return event;
      let own = `${structure.name}${event.slice(file.length)}`;
      while (isShared(own) || structure.events.includes(own)) own += "'";
      return own;
    });
    components[index] = { ...structure, events };
  }
  return { ...model, components };
}
