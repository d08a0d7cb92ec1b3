// What a document may say to Spillway, in a namespace of its own: which events come from outside and what they carry, and tags of states.
//
//     <scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:spillway="urn:spillway">
//       <spillway:environment>
//         <spillway:event name="coin" data='{"value": 1}'/>
//       </spillway:environment>
//       <state id="paid" spillway:tags="progress">

import { parseJson, plainJson } from '../source/json.ts';
import { SourceFile, type Span } from '../source/source.ts';
import type { OutsideEvent } from './chart.ts';
import { CODES } from './codes.ts';
import { type Reading, required } from './read-basics.ts';
import { encode, UNDEFINED } from './sandbox.ts';
import { type Attribute, childElements, type Element } from './xml.ts';

const SPILLWAY_NAMESPACE = 'urn:spillway';

/** An attribute `spillway:name`. */
export const spillwayAttribute = (element: Element, name: string): Attribute | undefined =>
  element.attributes.get(`spillway:${name}`);

/** Null when the document has no `environment`. */
export function readEnvironment(reading: Reading, root: Element): OutsideEvent[] | null {
  const own = childElements(root).filter(({ uri }) => uri === SPILLWAY_NAMESPACE);
  const environments = own.filter(({ name }) => name === 'environment');
  for (const other of own)
    if (other.name !== 'environment')
      reading.problems.error(
        CODES.unknownElement,
        other.tag,
        `Spillway knows no element <${other.name}> here`,
        'only <environment>',
      );
  if (environments.length === 0) return null;
  return environments.flatMap((environment) =>
    childElements(environment).map((event) => readEvent(reading, event)),
  );
}

function readEvent(reading: Reading, element: Element): OutsideEvent {
  if (element.name !== 'event')
    reading.problems.error(
      CODES.unknownElement,
      element.tag,
      `<environment> holds <event>, not <${element.name}>`,
    );
  const data = element.attributes.get('data');
  return {
    name: required(reading, element, 'name'),
    data: data === undefined ? UNDEFINED : dataOf(reading, data.value, data.span),
  };
}

function dataOf(reading: Reading, text: string, span: Span): string {
  const { value, problems } = parseJson(new SourceFile('data', text));
  if (value !== null && problems.length === 0) return encode(plainJson(value));
  reading.problems.error(
    CODES.badAttribute,
    span,
    `the data of an event is JSON: ${problems[0]?.message ?? 'it is empty'}`,
  );
  return UNDEFINED;
}
