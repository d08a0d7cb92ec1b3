// The coarsest shapes: for each pair of control states that was seen, the channels hold whatever types were seen there, in any order and number. Where
// a protocol counts its messages instead of ordering them (credit of several kinds in one channel), the equations between counts are the whole argument,
// and one disjunct says what dozens of shapes would repeat.

import type { GlobalState } from '../concrete/state.ts';
import type { Language } from '../language/language.ts';
import { languageOf } from '../language/language.ts';
import type { Regex } from '../language/regex.ts';
import { choice, EMPTY, letter, star } from '../language/regex.ts';
import type { Disjunct, Protocol } from '../model.ts';
import { controlNames } from '../model.ts';

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
    const shapes = protocol.channels.map((_, channel) => looseRegex(states, channel));
    const languages = shapes.map((regex, channel) => languageOf(regex, protocol.alphabets[channel]!.length));
    if (languages.includes(null)) return [];
    return [
      {
        name: controlNames(protocol, control).join('_'),
        control,
        shapes,
        languages: languages as Language[],
        predicates: [],
        relations: [],
        span: null,
      },
    ];
  });
}

function looseRegex(states: readonly GlobalState[], channel: number): Regex {
  const types = new Set(states.flatMap(({ channels }) => channels[channel]!.map(({ type }) => type)));
  return types.size === 0 ? EMPTY : star(choice([...types].sort((a, b) => a - b).map(letter)));
}
