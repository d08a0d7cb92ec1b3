// A system of actors in other formats.

import { pictureOf } from '../../actors/picture.ts';
import { toPromela } from '../../actors/to-promela.ts';
import { toScxml } from '../../actors/to-scxml.ts';
import type { Converted, ConvertRequest, Loaded } from '../../engine/language.ts';
import { statechartsMermaid } from '../../report/statechart.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import type { ActorModel } from './model.ts';

const warning = (message: string): Diagnostic => ({
  code: 'SPW7030',
  severity: 'warning',
  message,
  span: null,
});

export function convertActors(
  { format }: ConvertRequest,
  { model, diagnostics }: Loaded<ActorModel>,
): Converted {
  if (model === null) return { text: null, diagnostics };
  const { system } = model;
  switch (format) {
    case 'mermaid':
      return { text: statechartsMermaid(system.logics.map(pictureOf)), diagnostics };
    case 'promela':
      return { text: toPromela(system), diagnostics };
    case 'scxml': {
      const { text, losses } = toScxml(system);
      return { text, diagnostics: [...diagnostics, ...losses.map(warning)] };
    }
    default:
      return {
        text: null,
        diagnostics: [...diagnostics, { ...warning(`no format '${format}'`), severity: 'error' }],
      };
  }
}
