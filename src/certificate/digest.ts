// A fingerprint of a net, and a seal over a certificate: they make mistakes and tampering visible at once, with a clear message.
// No proof rests on them; the checker goes through every inequality whatever they say. Two lanes of FNV-1a, 32 bits each.

import type { Net } from '../net/net.ts';

export function digestText(text: string): string {
  let first = 0x811c9dc5;
  let second = 0x01000193;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second ^ (code + index), 0x85ebca6b);
    second ^= second >>> 13;
  }
  return hex(first) + hex(second);
}

const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, '0');

/** Everything a proof can depend on, and nothing else: no positions, no texts of statements. */
export function digestNet(net: Net): string {
  const lines: string[] = [];
  for (const { name, locations, initial, instances } of net.classes)
    lines.push(`class ${name} ${locations.length} ${initial} ${instances}`);
  for (const { name, kind, initial } of net.places) lines.push(`place ${name} ${kind} ${initial}`);
  for (const { name, places } of net.queues) lines.push(`queue ${name} ${places.join(' ')}`);
  for (const transition of net.transitions) {
    const effect = transition.effect.map(({ place, change }) => `${place}:${change}`).join(' ');
    const spawns = transition.spawns.map((spawn) => `${spawn.class}:${spawn.count}`).join(' ');
    lines.push(
      `step ${transition.class} ${transition.from} ${transition.to} ${effect} / ${spawns} ${transition.progress}`,
    );
  }
  return digestText(lines.join('\n'));
}
