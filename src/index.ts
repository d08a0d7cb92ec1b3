// The typed API, for programs. docs/api.md has an example of each.

export {
  audit,
  type CheckCall,
  check,
  convert,
  graphs,
  load,
  type ModelInput,
  render,
  replay,
  simulate,
} from './api/api.ts';
export type { Budget, Limits, Observer } from './base/budget.ts';
export { SILENT, startBudget, UNLIMITED } from './base/budget.ts';
export { type CheckEvent, type CheckInput, checkModel, type HostSource } from './check/check.ts';
export { LANGUAGES, type LanguageEntry, languageFor, languageOf } from './check/languages.ts';
export type { Engine, Portfolio, Stage, Task } from './engine/engine.ts';
export type { Board, Fact } from './engine/fact.ts';
export type {
  Audited,
  Converted,
  ConvertRequest,
  Language,
  Loaded,
  Replayed,
  Runnable,
  Simulation,
  WorkRequest,
} from './engine/language.ts';
export type { CheckOptions } from './engine/options.ts';
export type { Diagnostic, PlacedDiagnostic } from './source/diagnostic.ts';
export { render as renderDiagnostic, renderPlaced } from './source/diagnostic.ts';
export type { FileSystem, Position, Span } from './source/source.ts';
export type * from './verdict/answer.ts';
export type * from './verdict/run.ts';
export type * from './verdict/verdict.ts';
