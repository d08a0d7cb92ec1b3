// All that `spillway explain` can explain, collected from the rooms that issue the codes.

import { ECFSM_CODES } from '../ecfsm/codes.ts';
import { RULES } from '../report/rules.ts';
import { REASONS } from '../verdict/reasons.ts';

export interface Explanation {
  readonly title: string;
  readonly explanation: string;
}

const OWN_CODES: Readonly<Record<string, Explanation>> = {
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
  for (const [code, { title, explanation }] of Object.entries(REASONS)) all.set(code, { title, explanation });
  for (const [code, explanation] of Object.entries(ECFSM_CODES)) all.set(code, explanation);
  for (const [code, explanation] of Object.entries(OWN_CODES)) all.set(code, explanation);
  return all;
}
