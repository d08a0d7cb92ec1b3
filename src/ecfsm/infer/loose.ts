// The coarsest shapes: for each pair of control states that was seen, the channels hold whatever types were seen there, in any order and number. Where
// a protocol counts its messages instead of ordering them (credit of several kinds in one channel), the equations between counts are the whole argument,
// and one disjunct says what dozens of shapes would repeat.

import type { GlobalState } from '../concrete/state.ts';
import { languageOf } from '../language/language.ts';
import type { Regex } from '../language/regex.ts';
import { choice, EMPTY, letter, star } from '../language/regex.ts';
import type { Disjunct, Protocol } from '../model.ts';
import { SIDES } from '../model.ts';

export function looseTemplates(protocol: Protocol, seen: readonly GlobalState[]): Disjunct[] {
  const byControl = new Map<string, GlobalState[]>();
  for (const state of seen) {
    const key = state.control.join();
    const group = byControl.get(key);
    if (group === undefined) byControl.set(key, [state]);
    else group.push(state);
  }
  return [...byControl.values()].flatMap((states): Disjunct[] => {
    const { control } = states[0]!;
    const [forth, back] = SIDES.map((channel) => looseRegex(states, channel));
    const languages = [forth!, back!].map((regex, channel) =>
      languageOf(regex, protocol.alphabets[channel as 0 | 1].length),
    );
    const [first, second] = languages;
    if (!first || !second) return [];
    const name = SIDES.map((side) => protocol.machines[side].states[control[side]]).join('_');
    return [
      {
        name,
        control,
        shapes: [forth!, back!],
        languages: [first, second],
        predicates: [],
        relations: [],
        span: null,
      },
    ];
  });
}

function looseRegex(states: readonly GlobalState[], channel: 0 | 1): Regex {
  const types = new Set(states.flatMap(({ channels }) => channels[channel].map(({ type }) => type)));
  return types.size === 0 ? EMPTY : star(choice([...types].sort((a, b) => a - b).map(letter)));
}
