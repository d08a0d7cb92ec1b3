// Colours for the languages of the playground: words, comments, strings, numbers. What a name means is said by the engine, not guessed here.

import { StreamLanguage, type StringStream } from '@codemirror/language';

const KEYWORDS: Readonly<Record<string, string>> = {
  promela:
    'active assert atomic bit bool break byte chan d_step D_proctype do else empty enabled eval false fi for full goto hidden if inline init int in len local ltl mtype nempty never nfull notrace od of pc_value pid printf printm priority proctype provided return run select short show skip timeout trace true typedef unless unsigned xr xs always eventually until weakuntil release implies next',
  kripke:
    'lks component system initial state states alphabet propositions ltl property when and or not const for in',
  ecfsm:
    'machine state states initial channel channels register registers action actions when do send receive goto formula goal live const',
  c: 'auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while',
};

const LANGUAGE_OF: Readonly<Record<string, string>> = {
  lks: 'kripke',
  aut: 'kripke',
  ecfsm: 'ecfsm',
  c: 'c',
  h: 'c',
  spec: 'c',
};

const wordsOf = (path: string): readonly string[] =>
  KEYWORDS[LANGUAGE_OF[path.slice(path.lastIndexOf('.') + 1)] ?? 'promela']!.split(' ');

export function highlightingFor(path: string): StreamLanguage<{ inComment: boolean }> {
  const words = new Set(wordsOf(path));
  return StreamLanguage.define({
    startState: () => ({ inComment: false }),
    token: (stream, state) => {
      if (state.inComment) return comment(stream, state);
      if (stream.eatSpace()) return null;
      if (stream.match('/*')) return comment(stream, Object.assign(state, { inComment: true }));
      if (stream.match('//') || stream.match('--')) {
        stream.skipToEnd();
        return 'comment';
      }
      if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string';
      if (stream.sol() && stream.match(/^\s*#\s*\w+/)) return 'meta';
      if (stream.match(/^\d+/)) return 'number';
      const word = stream.match(/^[A-Za-z_]\w*/);
      if (word) return words.has((word as RegExpMatchArray)[0]) ? 'keyword' : 'variableName';
      if (stream.match(/^(::|->|[!?=<>&|+\-*/%~^]+)/)) return 'operator';
      stream.next();
      return null;
    },
    languageData: { commentTokens: { line: '//', block: { open: '/*', close: '*/' } } },
  });
}

function comment(stream: StringStream, state: { inComment: boolean }): string {
  if (stream.skipTo('*/')) {
    stream.match('*/');
    state.inComment = false;
  } else stream.skipToEnd();
  return 'comment';
}
