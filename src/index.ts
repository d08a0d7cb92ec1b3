// The typed API: what the CLI uses, for programs.

export type { Budget, Observer } from './base/budget.ts';
export { SILENT, UNLIMITED } from './base/budget.ts';
export { type CheckInput, checkModel } from './check/check.ts';
export type { CheckOptions, CheckRequest, Language } from './check/language.ts';
export { LANGUAGES, languageOf } from './check/languages.ts';
export type { Diagnostic } from './source/diagnostic.ts';
export { render as renderDiagnostic } from './source/diagnostic.ts';
export type { FileSystem, Position, Span } from './source/source.ts';
export type * from './verdict/run.ts';
export type * from './verdict/verdict.ts';
