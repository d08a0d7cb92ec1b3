// The editor: CodeMirror with diagnostics from the engine, words to complete, and on hover what the last check found out about a queue.

import { autocompletion, type CompletionContext, completeAnyWord } from '@codemirror/autocomplete';
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
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { PlacedDiagnostic } from '../src/source/diagnostic.ts';
import type { QueueResult } from '../src/verdict/verdict.ts';
import { highlightingFor, wordsOf } from './highlight.ts';

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
  know(queues: readonly QueueResult[]): void;
  goTo(line: number): void;
}

export function createEditor(parent: HTMLElement, onChange: () => void, onCheck: () => void): Editor {
  const language = new Compartment();
  let path = '';
  let queues: readonly QueueResult[] = [];
  const complete = (context: CompletionContext) => {
    const word = context.matchBefore(/\w+/);
    if (word === null) return null;
    const here = completeAnyWord(context);
    const options = wordsOf(path).map((label) => ({ label, type: 'keyword' }));
    return {
      from: word.from,
      options: [...options, ...((here as { options?: { label: string }[] } | null)?.options ?? [])],
    };
  };
  const hover = hoverTooltip((view, position) => {
    const line = view.state.doc.lineAt(position);
    const word = [...line.text.matchAll(/\w+/g)].find(
      ({ index, 0: text }) => line.from + index <= position && position <= line.from + index + text.length,
    );
    const about = queues.filter(
      ({ name }) => word !== undefined && name.replace(/\[.*$/, '').split('.').at(-1) === word[0],
    );
    if (word === undefined || about.length === 0) return null;
    return {
      pos: line.from + word.index,
      create: () => {
        const dom = document.createElement('div');
        dom.textContent = about.slice(0, 6).map(aboutQueue).join('; ');
        return { dom };
      },
    };
  });
  const checkNow = (): boolean => {
    onCheck();
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
          if (update.docChanged) onChange();
        }),
      ],
    }),
  });
  // Long lines are scrolled by keys, too.
  view.scrollDOM.tabIndex = 0;
  return {
    text: () => view.state.doc.toString(),
    open: (name, text) => {
      path = name;
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
    know: (found) => {
      queues = found;
    },
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

function aboutQueue({ name, verdict, bound, exact, declared }: QueueResult): string {
  const length =
    verdict === 'refuted'
      ? 'grows without limit'
      : bound === null
        ? 'no bound known'
        : `never longer than ${bound}`;
  return `${name}: ${length}${exact === null ? '' : `, at most ${exact} in fact`}, capacity ${declared}`;
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
