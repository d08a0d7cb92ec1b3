// Structures to run step by step: what the `simulate` verb needs.

import { loadModel } from '../kripke/load.ts';
import type { System } from '../kripke/system.ts';
import { compose } from '../kripke/system.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { FileSystem } from '../source/source.ts';

export { StructureSimulation, simulateStructures } from '../kripke/simulation.ts';

/** System null: the diagnostics say why. */
export function loadStructures(
  paths: readonly string[],
  files: FileSystem,
  defines: readonly string[],
): { readonly system: System | null; readonly diagnostics: readonly Diagnostic[] } {
  const { model, diagnostics } = loadModel(paths, files, defines);
  return { system: model === null ? null : compose(model.components), diagnostics };
}
