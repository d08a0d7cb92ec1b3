import type { Chart, Content, Invoke, InvokeSource } from './chart.ts';
import { CODES } from './codes.ts';
import { readActions } from './read-action.ts';
import {
  codeOf,
  contentOf,
  givenBy,
  isEmptyContent,
  isScxml,
  namesOf,
  type Reading,
  readParameters,
  scxmlChildren,
} from './read-basics.ts';
import { childElements, type Element } from './xml.ts';

type ReadChart = (element: Element) => Chart | null;

export function readInvoke(
  reading: Reading,
  element: Element,
  state: number,
  index: number,
  readChart: ReadChart,
): Invoke {
  const idLocation = codeOf(element, 'idlocation');
  const id = element.attributes.get('id')?.value ?? null;
  if (id !== null && idLocation !== null)
    reading.problems.error(
      CODES.badAttribute,
      idLocation.span,
      "<invoke> has both 'id' and 'idlocation'",
      'keep one of them',
    );
  const finalize = scxmlChildren(element).find((child) => child.name === 'finalize');
  return {
    state,
    index,
    id,
    idLocation,
    type: givenBy(reading, element, 'type', 'typeexpr'),
    source: readSource(reading, element, readChart),
    names: namesOf(element),
    parameters: readParameters(reading, element),
    autoForward: readAutoForward(reading, element),
    finalize:
      finalize === undefined
        ? null
        : { actions: readActions(reading, finalize), isEmpty: childElements(finalize).length === 0 },
    span: element.tag,
  };
}

function readAutoForward(reading: Reading, element: Element): boolean {
  const attribute = element.attributes.get('autoforward');
  if (attribute === undefined || attribute.value === 'false') return false;
  if (attribute.value === 'true') return true;
  reading.problems.error(
    CODES.badAttribute,
    attribute.span,
    `'autoforward' is true or false, not '${attribute.value}'`,
  );
  return false;
}

function readSource(reading: Reading, element: Element, readChart: ReadChart): InvokeSource {
  const src = givenBy(reading, element, 'src', 'srcexpr');
  const content = scxmlChildren(element).find((child) => child.name === 'content');
  if (src !== null) {
    if (content !== undefined)
      reading.problems.error(
        CODES.badStructure,
        content.tag,
        "<invoke> has <content> beside 'src'",
        'keep one of them',
      );
    return { kind: 'src', src };
  }
  if (content === undefined) return { kind: 'none' };
  const code = codeOf(content, 'expr');
  if (code !== null) return { kind: 'content', value: code };
  const inline = childElements(content).find((child) => child.name === 'scxml' && isScxml(child));
  if (inline === undefined) {
    const text: Content = contentOf(content);
    return isEmptyContent(text) ? { kind: 'none' } : { kind: 'content', value: text };
  }
  const chart = readChart(inline);
  return chart === null ? { kind: 'none' } : { kind: 'inline', chart };
}
