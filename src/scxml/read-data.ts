// <datamodel> and <donedata>.

import type { DataItem, DoneData } from './chart.ts';
import {
  codeOf,
  contentOf,
  contentOfFile,
  isEmptyContent,
  misplaced,
  type Reading,
  readContent,
  readParameters,
  required,
  scxmlChildren,
} from './read-basics.ts';
import type { Element } from './xml.ts';

export function readData(reading: Reading, datamodel: Element): DataItem[] {
  return scxmlChildren(datamodel).flatMap((child): DataItem[] => {
    if (child.name !== 'data') {
      misplaced(reading, child, 'datamodel');
      return [];
    }
    const id = required(reading, child, 'id');
    const code = codeOf(child, 'expr');
    if (code !== null) return [{ id, value: code, span: child.tag }];
    if (child.attributes.has('src')) return [{ id, value: contentOfFile(reading, child), span: child.tag }];
    const content = contentOf(child);
    return [{ id, value: isEmptyContent(content) ? null : content, span: child.tag }];
  });
}

export const readDoneData = (reading: Reading, element: Element): DoneData => ({
  parameters: readParameters(reading, element),
  content: readContent(reading, element),
});
