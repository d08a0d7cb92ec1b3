// A fingerprint of a net: a certificate says which net it belongs to. No proof rests on it.

import { digestText } from '../base/digest.ts';
import type { Net } from '../net/net.ts';

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
