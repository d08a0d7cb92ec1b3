// How fine the shapes of the channels have to be, learnt from states that were seen: a type of message whose rows never got longer than two is counted
// exactly, a type that stood in two places of a channel at once keeps two places. What was seen is a guess about all states: the abstract
// reachability that uses it stays an over-approximation whatever it says.

import type { GlobalState } from '../concrete/state.ts';
import type { Protocol } from '../model.ts';
import type { Grains } from './abstract.ts';
import type { Grain } from './shape.ts';

/** Longer rows are taken to have no limit. */
const LONGEST_ROW = 2;
/** More blocks of one type are taken to be a mixture. */
const MOST_BLOCKS = 3;

/** The same for every type: one block each; rows of one message apart from longer ones with `fine`. */
export const evenGrains = ({ alphabets }: Protocol, fine: boolean): Grains =>
  alphabets.map((types) => ({ exact: types.map(() => (fine ? 1 : 0)), blocks: types.map(() => 1) }));

export function learntGrains({ alphabets }: Protocol, seen: readonly GlobalState[]): Grains {
  return alphabets.map((types, channel): Grain => {
    const longest = types.map(() => 0);
    const most = types.map(() => 1);
    for (const { channels } of seen) measure(channels[channel]!, longest, most);
    return {
      exact: longest.map((length) => (length <= LONGEST_ROW ? length : 0)),
      blocks: most.map((count) => (count <= MOST_BLOCKS ? count : 1)),
    };
  });
}

function measure(messages: readonly { readonly type: number }[], longest: number[], most: number[]): void {
  const blocks = new Map<number, number>();
  let length = 0;
  messages.forEach(({ type }, i) => {
    const isNew = messages[i - 1]?.type !== type;
    length = isNew ? 1 : length + 1;
    if (isNew) blocks.set(type, (blocks.get(type) ?? 0) + 1);
    longest[type] = Math.max(longest[type]!, length);
  });
  for (const [type, count] of blocks) most[type] = Math.max(most[type]!, count);
}
