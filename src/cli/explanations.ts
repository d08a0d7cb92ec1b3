// All that `spillway explain` can explain: properties, reasons, and the codes of every language.

import { type CodeTable, LANGUAGES } from '../check/languages.ts';
import { RULES } from '../report/rules.ts';
import { REASONS } from '../verdict/reasons.ts';

export interface Explanation {
  readonly title: string;
  readonly explanation: string;
}

const OWN_CODES: CodeTable = {
  SPW1390: {
    title: 'a model cannot be run',
    explanation:
      'The model contains what the engine does not execute, embedded C for example: it can be neither simulated nor replayed. The message names the place and the reason.',
  },
  SPW1391: {
    title: 'a statement is never executed',
    explanation:
      'With --coverage every state was searched, and in none of them was this statement executed: no process comes to it, or it is never executable where one stands before it. That may be meant (a server never ends, a case that cannot occur), or a part of the model is dead and was checked for nothing.',
  },
  SPW1392: {
    title: 'the coverage is not known',
    explanation:
      'What --coverage asks takes a search through every state. This one ended at a limit or a runtime error: what it did not reach says nothing.',
  },
  SPW1393: {
    title: 'a process can be blocked for ever',
    explanation:
      'The model has no deadlock by the usual definition, in which nobody can move any more; but there is a run after which this process never moves again, while others do. SPIN does not ask that. --property stuck-free makes a question of it, with a run and the reasons. It is a warning because such a process is often meant to rest, as a server is when its clients are gone: an end label at the statement says so.',
  },
  SPW9001: {
    title: 'the language of a file is not known',
    explanation: 'The language follows the extension of the file. Rename the file, or give another one.',
  },
  SPW9002: {
    title: 'a file cannot be read',
    explanation: 'There is no file of that name, or it may not be read, or it is a folder.',
  },
  SPW9003: {
    title: 'a property is not known for this model',
    explanation:
      'The language of the model does not have this property, or the model has no formula, goal or label of this name.',
  },
  SPW9004: {
    title: 'such models are not composed',
    explanation:
      '--compose makes one system of several .lks or .aut files, and one program of several .c (or .i) files. Any other model is a whole system already.',
  },
  SPW9005: {
    title: 'an option changes nothing here',
    explanation:
      'The option belongs to an analysis of another language, so that the answer is the same without it: --method, --progress, --exact, --no-confirm, --fair, --no-reduction, --coverage and --invariant are for Promela, --formula is for Promela and statecharts, --monolithic and --strategy for structures (.lks, .aut) and systems of C threads (.spec). With several models it is enough that one of them takes it.',
  },
  SPW9006: {
    title: 'an answer from elsewhere was refused',
    explanation:
      'A worker of the queue gave an answer that does not stand a second look: its certificate does not prove what it says, or its run is none of the model. It was not used; this machine answered the question itself. A worker of another version, a broken one, or one that does not belong to the queue may be the reason.',
  },
  SPW9010: {
    title: 'the configuration has an error',
    explanation:
      'spillway.config.json is JSON with a list "models"; docs/configuration.md describes its keys.',
  },
};

export async function loadExplanations(): Promise<Map<string, Explanation>> {
  const all = new Map<string, Explanation>();
  for (const rule of RULES) {
    if (rule.id !== 'other')
      all.set(rule.id, { title: rule.short, explanation: `${rule.full} ${rule.help}` });
  }
  const tables = await Promise.all(LANGUAGES.map(({ codes }) => codes()));
  for (const table of [REASONS, ...tables.flat(), OWN_CODES])
    for (const [code, { title, explanation }] of Object.entries(table)) all.set(code, { title, explanation });
  return all;
}
