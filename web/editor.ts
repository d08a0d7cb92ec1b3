// The editor: CodeMirror with the language service's diagnostics, completions and words about names.

import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippetCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic as EditorDiagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
  type Tooltip,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Completion as Offered } from '../src/service/completion.ts';
import type { PlacedDiagnostic } from '../src/source/diagnostic.ts';
import { highlightingFor } from './highlight.ts';
import { shownMarkdown } from './markdown.ts';

const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--accent)' },
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: tags.number, color: 'var(--open)' },
  { tag: tags.meta, color: 'var(--open)' },
]);

const LOOK = EditorView.theme({
  '&': { height: '100%', fontSize: '14px', backgroundColor: 'var(--paper)', color: 'var(--ink)' },
  '.cm-scroller': { fontFamily: "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace" },
  '.cm-gutters': {
    backgroundColor: 'var(--panel)',
    color: 'var(--soft)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 7%, transparent)',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-tooltip': {
    backgroundColor: 'var(--panel)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    padding: '2px 6px',
  },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 25%, transparent) !important',
  },
});

export interface Editor {
  text(): string;
  open(path: string, text: string): void;
  diagnose(path: string, diagnostics: readonly PlacedDiagnostic[]): void;
  goTo(line: number): void;
}

/** Whom the editor asks, and whom it tells. */
export interface EditorUser {
  onChange(): void;
  onCheck(): void;
  complete(offset: number): Promise<readonly Offered[]>;
  hover(
    offset: number,
  ): Promise<{ readonly start: number; readonly end: number; readonly markdown: string } | null>;
}

export function createEditor(parent: HTMLElement, user: EditorUser): Editor {
  const language = new Compartment();
  const complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const word = context.matchBefore(/\w+/);
    const isAsked = context.explicit || /[.@#]$/.test(context.matchBefore(/\S+/)?.text ?? '');
    if (word === null && !isAsked) return null;
    const offered = await user.complete(context.pos);
    return { from: word?.from ?? context.pos, options: offered.map(asOption), validFor: /^\w*$/ };
  };
  const hover = hoverTooltip(async (_, position): Promise<Tooltip | null> => {
    const found = await user.hover(position);
    if (found === null) return null;
    return { pos: found.start, end: found.end, create: () => ({ dom: shownMarkdown(found.markdown) }) };
  });
  const checkNow = (): boolean => {
    user.onCheck();
    return true;
  };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        bracketMatching(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        indentUnit.of('  '),
        autocompletion({ override: [complete] }),
        hover,
        language.of([]),
        syntaxHighlighting(COLOURS),
        LOOK,
        EditorView.contentAttributes.of({ 'aria-label': 'the model' }),
        keymap.of([
          { key: 'Mod-Enter', run: checkNow },
          ...defaultKeymap,
          ...historyKeymap,
          ...searchKeymap,
          // Escape, then Tab, leaves the editor: CodeMirror's own convention.
          indentWithTab,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) user.onChange();
        }),
      ],
    }),
  });
  // Long lines are scrolled by keys, too.
  view.scrollDOM.tabIndex = 0;
  return {
    text: () => view.state.doc.toString(),
    open: (name, text) => {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        effects: language.reconfigure(highlightingFor(name)),
        selection: { anchor: 0 },
      });
    },
    diagnose: (name, diagnostics) =>
      view.dispatch(
        setDiagnostics(
          view.state,
          diagnostics.flatMap((one) => shown(view.state, name, one)),
        ),
      ),
    goTo: (number) => {
      const line = view.state.doc.line(Math.max(1, Math.min(view.state.doc.lines, number)));
      view.dispatch({
        selection: { anchor: line.from },
        effects: EditorView.scrollIntoView(line.from, { y: 'center' }),
      });
      view.focus();
    },
  };
}

/** The editor's names for kinds, where it has a sign for them. */
const SIGNS: Readonly<Record<string, string>> = {
  process: 'class',
  channel: 'property',
  parameter: 'variable',
  field: 'property',
  state: 'enum',
  event: 'enum',
  label: 'constant',
  snippet: 'keyword',
};

function asOption({ label, kind, detail, documentation, insert }: Offered): Completion {
  const option: Completion = {
    label,
    type: SIGNS[kind] ?? kind,
    detail,
    ...(documentation === undefined ? {} : { info: () => shownMarkdown(documentation) }),
  };
  // Names come before words of the language, whole constructs after them.
  const boost = kind === 'snippet' ? -2 : kind === 'keyword' ? -1 : 1;
  return insert === undefined
    ? { ...option, boost }
    : snippetCompletion(insert.replaceAll('$0', `${'$'}{}`), { ...option, boost });
}

function shown(
  state: EditorState,
  path: string,
  { at, message, severity, help }: PlacedDiagnostic,
): EditorDiagnostic[] {
  if (at !== null && at.file !== path) return [];
  const line = state.doc.line(Math.max(1, Math.min(state.doc.lines, at?.line ?? 1)));
  const from = Math.min(line.to, line.from + Math.max(0, (at?.column ?? 1) - 1));
  const word = /^\w+|^./.exec(line.text.slice(from - line.from))?.[0].length ?? 0;
  return [
    {
      from,
      to: Math.min(line.to, from + word),
      severity: severity === 'hint' ? 'info' : severity,
      message: help === undefined || help === null ? message : `${message}\n${help}`,
    },
  ];
}
