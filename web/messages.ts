// What the page and its worker say to each other.

import type { Audited } from '../src/engine/language.ts';
import type { RunData } from '../src/report/html/client/run-viewer.ts';
import type { Completion } from '../src/service/completion.ts';
import type { PlacedDiagnostic } from '../src/source/diagnostic.ts';
import type { CertificateDocument, ModelReport, Verdict } from '../src/verdict/verdict.ts';

/** A model as it stands in the page: its file, and others that it includes. */
export interface Model {
  readonly path: string;
  readonly files: Readonly<Record<string, string>>;
}

export interface Limits {
  /** Seconds. */
  readonly timeout: number;
  readonly exact: boolean;
}

export type Request =
  | { readonly kind: 'check'; readonly model: Model; readonly limits: Limits }
  | {
      readonly kind: 'audit';
      readonly model: Model;
      readonly property: string;
      readonly certificate: CertificateDocument;
    };

export type Answer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'diagnostics'; readonly diagnostics: readonly PlacedDiagnostic[] }
  | { readonly kind: 'questions'; readonly properties: readonly string[] }
  | { readonly kind: 'verdict'; readonly property: string; readonly verdict: Verdict }
  | { readonly kind: 'progress'; readonly text: string }
  | {
      /** `isFirst`: the same report comes again, with the graphs drawn. */
      readonly kind: 'report';
      readonly isFirst: boolean;
      readonly report: ModelReport;
      readonly html: string;
      readonly runs: readonly RunData[];
    }
  | { readonly kind: 'audited'; readonly property: string; readonly audited: Audited }
  | { readonly kind: 'failed'; readonly message: string };

/** To the language service. */
export type ReaderQuestion =
  /** What is wrong with the text? */
  | { readonly kind: 'read' }
  | { readonly kind: 'complete' | 'hover'; readonly offset: number }
  /** What the last check found out about the model. */
  | { readonly kind: 'know'; readonly report: ModelReport | null };
export type ReaderRequest = ReaderQuestion & { readonly id: number; readonly model: Model };

export type ReaderAnswer = { readonly id: number } & (
  | { readonly kind: 'nothing' }
  | { readonly kind: 'diagnostics'; readonly diagnostics: readonly PlacedDiagnostic[] }
  | { readonly kind: 'completions'; readonly list: readonly Completion[] }
  | { readonly kind: 'hover'; readonly start: number; readonly end: number; readonly markdown: string }
);
