import type { Chart } from './chart.ts';
import type { DataModel } from './data-model.ts';
import { EcmaModel } from './ecma-model.ts';
import { NullModel } from './null-model.ts';
import { type Engine, Sandbox } from './sandbox.ts';

/** One sandbox for all charts of a system: each session's data is loaded into it in turn. */
export function dataModels(engine: Engine): { modelOf: (chart: Chart) => DataModel; dispose: () => void } {
  const sandbox = new Sandbox(engine);
  const ecma = new EcmaModel(sandbox);
  const none = new NullModel();
  return { modelOf: (chart) => (chart.datamodel === 'null' ? none : ecma), dispose: () => sandbox.dispose() };
}
