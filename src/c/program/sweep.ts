// Fixed points over a graph, in an order that spares work: a location is looked at when everything before it that is not on a loop with it has been. Where a stack would
// look at what lies behind a join once for every way into it, and again for what lies behind the next, this does it about once for each loop around it
// (Kam and Ullman, "Global data flow analysis and iterative algorithms", 1976).

/** All locations: those that can be reached from the entry in reverse postorder, the others after them. */
export function forwards(entry: number, next: readonly (readonly { readonly to: number }[])[]): number[] {
  const seen = new Uint8Array(next.length);
  const done: number[] = [];
  const path = [{ location: entry, taken: 0 }];
  seen[entry] = 1;
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const edge = next[top.location]![top.taken++];
    if (edge === undefined) {
      done.push(top.location);
      path.pop();
    } else if (seen[edge.to] === 0) {
      seen[edge.to] = 1;
      path.push({ location: edge.to, taken: 0 });
    }
  }
  done.reverse();
  seen.forEach((was, location) => {
    if (was === 0) done.push(location);
  });
  return done;
}

/**
 * Looks at the locations that wait, first in the order first. `look` calls `wake` for those that something has changed at, and says whether to go on; false when it
 * said no.
 */
export function sweep(
  order: readonly number[],
  first: readonly number[],
  look: (location: number, wake: (location: number) => void) => boolean,
): boolean {
  const place = new Int32Array(order.length);
  order.forEach((location, i) => {
    place[location] = i;
  });
  const waits = new Uint8Array(order.length);
  let again = order.length;
  let at = -1;
  const wake = (location: number) => {
    waits[place[location]!] = 1;
    if (place[location]! <= at) again = Math.min(again, place[location]!);
  };
  for (const location of first) wake(location);
  for (at = 0; at < order.length; at++) {
    if (waits[at] === 1) {
      waits[at] = 0;
      if (!look(order[at]!, wake)) return false;
    }
    if (at < order.length - 1 || again === order.length) continue;
    // What lies before is woken by the ends of loops: it is gone through again as a whole.
    at = again - 1;
    again = order.length;
  }
  return true;
}
