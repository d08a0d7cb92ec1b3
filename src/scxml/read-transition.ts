// Transitions as they are written: their targets are names until all states are known.

import type { Span } from '../source/source.ts';
import type { Action, Transition } from './chart.ts';
import { CODES } from './codes.ts';
import { readActions } from './read-action.ts';
import { choiceOf, codeOf, type Reading, required, wordsOf } from './read-basics.ts';
import type { Attribute, Element } from './xml.ts';

/** To be completed when all states are known. */
export type Unresolved<T> = { -readonly [K in keyof T]: T[K] };

export interface WrittenTransition {
  readonly draft: Unresolved<Transition>;
  readonly target: Attribute | null;
}

/** How the default entry of a state is written. */
export interface WrittenDefault {
  readonly targets: Attribute | null;
  readonly actions: readonly Action[];
  readonly span: Span;
}

/** `source`: the number of its state; 0 is the document itself. */
export function readTransition(
  reading: Reading,
  element: Element,
  number: number,
  source: number,
): WrittenTransition {
  const type = choiceOf(reading, element, 'type', ['internal', 'external']);
  const target = element.attributes.get('target') ?? null;
  const events = wordsOf(element.attributes.get('event')?.value).map((word) => word.replace(/(\.\*?)$/, ''));
  const condition = codeOf(element, 'cond');
  if (source === 0)
    reading.problems.warning(
      CODES.badStructure,
      element.tag,
      'a transition of the whole document is not part of SCXML: other processors may refuse it',
      'put everything into one <state> and the transition there',
    );
  if (events.length === 0 && condition === null && target === null)
    reading.problems.warning(
      CODES.badStructure,
      element.tag,
      "a transition should have one of 'event', 'cond' and 'target': this one is always enabled",
    );
  const draft = {
    number,
    source,
    events: events.map((word) => (word === '' ? '*' : word)),
    condition,
    targets: [],
    internal: type === 'internal',
    actions: readActions(reading, element),
    span: element.tag,
  };
  return { draft, target };
}

/** Of <initial> and <history>. */
export function readDefaultTransition(reading: Reading, element: Element): WrittenDefault {
  for (const name of ['event', 'cond']) {
    const attribute = element.attributes.get(name);
    if (attribute !== undefined)
      reading.problems.error(CODES.badAttribute, attribute.span, `a default transition has no '${name}'`);
  }
  required(reading, element, 'target');
  return {
    targets: element.attributes.get('target') ?? null,
    actions: readActions(reading, element),
    span: element.tag,
  };
}
