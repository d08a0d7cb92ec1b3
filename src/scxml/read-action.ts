// Executable content: what runs in transitions and when states are entered and left.

import type { Action, Branch, Code, Content } from './chart.ts';
import { CODES } from './codes.ts';
import {
  codeOf,
  contentOf,
  givenBy,
  isEmptyContent,
  isScxml,
  misplaced,
  type Reading,
  readPayload,
  required,
  requiredCode,
} from './read-basics.ts';
import { childElements, type Element, textOf, textSpan } from './xml.ts';

const HTTP_PROCESSOR = 'BasicHTTPEventProcessor';

export function readActions(reading: Reading, parent: Element, skip: readonly string[] = []): Action[] {
  const actions: Action[] = [];
  for (const child of childElements(parent)) {
    if (skip.includes(child.name)) continue;
    if (!isScxml(child)) {
      reading.problems.warning(
        CODES.unknownElement,
        child.tag,
        `<${child.name}> is no SCXML: the action is left out`,
      );
      continue;
    }
    const action = readAction(reading, child, parent);
    if (action !== null) actions.push(action);
  }
  return actions;
}

function readAction(reading: Reading, element: Element, parent: Element): Action | null {
  const span = element.tag;
  switch (element.name) {
    case 'raise':
      return { kind: 'raise', event: required(reading, element, 'event'), span };
    case 'send':
      return readSend(reading, element);
    case 'cancel':
      return readCancel(reading, element);
    case 'log':
      return {
        kind: 'log',
        label: element.attributes.get('label')?.value ?? '',
        value: codeOf(element, 'expr'),
        span,
      };
    case 'assign':
      return {
        kind: 'assign',
        location: requiredCode(reading, element, 'location'),
        value: assigned(element),
        span,
      };
    case 'script': {
      const code = readScript(reading, element);
      return code === null ? null : { kind: 'script', code, span };
    }
    case 'if':
      return { kind: 'if', branches: readBranches(reading, element), span };
    case 'foreach':
      return {
        kind: 'foreach',
        array: requiredCode(reading, element, 'array'),
        item: requiredCode(reading, element, 'item'),
        index: codeOf(element, 'index'),
        actions: readActions(reading, element),
        span,
      };
    default:
      misplaced(reading, element, parent.name);
      return null;
  }
}

function assigned(element: Element): Code | Content {
  const code = codeOf(element, 'expr');
  if (code !== null) return code;
  const content = contentOf(element);
  // Nothing assigned: an expression that is no expression, so that it fails at run time as the recommendation wants.
  return isEmptyContent(content) ? { text: '', span: element.tag } : content;
}

/** The script's text, from the file `src` names if there is one; null after an error. */
export function readScript(reading: Reading, element: Element): Code | null {
  const src = element.attributes.get('src');
  if (src === undefined) return { text: textOf(element), span: textSpan(element) };
  const text = reading.read(src.value);
  if (text === null) {
    reading.problems.error(
      CODES.missingFile,
      src.span,
      `the script '${src.value}' cannot be read`,
      'the path is relative to this document; only files are read',
    );
    return null;
  }
  return { text, span: src.span };
}

function readSend(reading: Reading, element: Element): Action {
  const attribute = (name: string) => element.attributes.get(name);
  const type = givenBy(reading, element, 'type', 'typeexpr');
  if (type?.kind === 'text' && type.text.includes(HTTP_PROCESSOR))
    reading.problems.warning(
      CODES.unsupportedProcessor,
      attribute('type')!.span,
      'events over HTTP are not part of the analysis: this send raises error.execution',
      'use a target inside the system, or let an instance of the system stand for the other side',
    );
  const idLocation = codeOf(element, 'idlocation');
  if (idLocation !== null && attribute('id') !== undefined)
    reading.problems.error(
      CODES.badAttribute,
      idLocation.span,
      "<send> has both 'id' and 'idlocation'",
      'keep one of them',
    );
  const payload = readPayload(reading, element);
  if (payload.content !== null && (payload.names.length > 0 || payload.parameters.length > 0))
    reading.problems.error(
      CODES.badStructure,
      element.tag,
      "<send> has <content> beside 'namelist' or <param>",
      'keep one of them',
    );
  return {
    kind: 'send',
    event: givenBy(reading, element, 'event', 'eventexpr'),
    target: givenBy(reading, element, 'target', 'targetexpr'),
    type,
    id: attribute('id')?.value ?? null,
    idLocation,
    delay: givenBy(reading, element, 'delay', 'delayexpr'),
    payload,
    span: element.tag,
  };
}

function readCancel(reading: Reading, element: Element): Action | null {
  const sendId = givenBy(reading, element, 'sendid', 'sendidexpr');
  if (sendId === null) {
    reading.problems.error(CODES.missingAttribute, element.tag, "<cancel> needs 'sendid' or 'sendidexpr'");
    return null;
  }
  return { kind: 'cancel', sendId, span: element.tag };
}

function readBranches(reading: Reading, element: Element): Branch[] {
  const branches: { condition: Code | null; actions: Action[] }[] = [
    { condition: requiredCode(reading, element, 'cond'), actions: [] },
  ];
  for (const child of childElements(element)) {
    if (child.name === 'elseif')
      branches.push({ condition: requiredCode(reading, child, 'cond'), actions: [] });
    else if (child.name === 'else') branches.push({ condition: null, actions: [] });
    else {
      const action = isScxml(child) ? readAction(reading, child, element) : null;
      if (action !== null) branches.at(-1)!.actions.push(action);
    }
  }
  const after = branches.findIndex((branch) => branch.condition === null);
  if (after >= 0 && after < branches.length - 1)
    reading.problems.error(CODES.badStructure, element.tag, '<else> must be the last part of its <if>');
  return branches;
}
