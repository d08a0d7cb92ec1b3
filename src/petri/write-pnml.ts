// A net in PNML (ISO/IEC 15909-2), for the tools of that field. What was read from such a file is written as it was named.

import { type Arc, OMEGA, type PetriNet } from './net.ts';

const PNML_NAMESPACE = 'http://www.pnml.org/version-2009/grammar/pnml';
const PT_NET = 'http://www.pnml.org/version-2009/grammar/ptnet';

export function writePnml(net: PetriNet): string {
  let arcs = 0;
  const arc = (source: string, target: string, weight: number): string => {
    const inscription = weight > 1 ? `<inscription><text>${weight}</text></inscription>` : '';
    return `<arc id="a${arcs++}" source="${source}" target="${target}">${inscription}</arc>`;
  };
  const steps = net.transitions.flatMap((transition, number) =>
    transition.arrival === true ? [] : [{ ...transition, number }],
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<pnml xmlns="${PNML_NAMESPACE}">`,
    `<net id="net" type="${PT_NET}">`,
    `<name>${text(net.name)}</name>`,
    '<page id="page">',
    ...net.places.map(({ name, initial }, place) => {
      const marking =
        initial > 0 && initial !== OMEGA ? `<initialMarking>${text(String(initial))}</initialMarking>` : '';
      return `<place id="p${place}"><name>${text(name)}</name>${marking}</place>`;
    }),
    ...steps.map(({ name, number }) => `<transition id="t${number}"><name>${text(name)}</name></transition>`),
    ...steps.flatMap(({ take, put, number }) => [
      ...take.map(({ place, weight }: Arc) => arc(`p${place}`, `t${number}`, weight)),
      ...put.map(({ place, weight }: Arc) => arc(`t${number}`, `p${place}`, weight)),
    ]),
    '</page>',
    '</net>',
    '</pnml>',
    '',
  ].join('\n');
}

const text = (value: string): string => `<text>${escapeXml(value)}</text>`;

const escapeXml = (value: string): string =>
  value
    // Characters that XML does not know, however they are written.
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '?')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
