// Is a partition a bisimulation? By the definition, and slowly; it shares nothing with what finds partitions. A certificate that lumps states together
// rests on this.
//
// Strong: nodes of a class have steps with the same labels into the same classes. Branching with explicit divergence: what one node of a class can do visibly (a
// step with a label, or a hidden step out of the class), each of its nodes can do after hidden steps inside the class; and either all of
// them can go on hidden inside the class for ever, or none.

export interface Step {
  /** Null for a hidden step. */
  readonly label: string | null;
  readonly to: number;
}

export function isBisimulation(
  steps: readonly (readonly Step[])[],
  classOf: readonly number[],
  kind: 'strong' | 'branching',
): boolean {
  const members = new Map<number, number[]>();
  classOf.forEach((id, node) => {
    const list = members.get(id);
    if (list === undefined) members.set(id, [node]);
    else list.push(node);
  });
  return [...members.values()].every((nodes) =>
    kind === 'strong' ? agree(steps, classOf, nodes) : branchAlike(steps, classOf, nodes),
  );
}

const keyOf = ({ label, to }: Step, classOf: readonly number[]): string =>
  `${label === null ? 'hidden' : `"${label}`} ${classOf[to]}`;

function agree(
  steps: readonly (readonly Step[])[],
  classOf: readonly number[],
  nodes: readonly number[],
): boolean {
  if (nodes.length === 1) return true;
  const keys = nodes.map((node) => new Set(steps[node]!.map((step) => keyOf(step, classOf))));
  return keys.every((own) => own.size === keys[0]!.size && [...own].every((key) => keys[0]!.has(key)));
}

function branchAlike(
  steps: readonly (readonly Step[])[],
  classOf: readonly number[],
  nodes: readonly number[],
): boolean {
  if (nodes.length === 1) return true;
  const here = classOf[nodes[0]!]!;
  const isInner = ({ label, to }: Step): boolean => label === null && classOf[to] === here;
  /** Who does it directly, for everything that can be seen. */
  const doers = new Map<string, number[]>();
  const before = new Map<number, number[]>(nodes.map((node) => [node, []]));
  const choices = new Map<number, number>();
  for (const node of nodes) {
    let inner = 0;
    for (const step of steps[node]!) {
      if (isInner(step)) {
        before.get(step.to)!.push(node);
        inner++;
        continue;
      }
      const key = keyOf(step, classOf);
      const list = doers.get(key);
      if (list === undefined) doers.set(key, [node]);
      else list.push(node);
    }
    choices.set(node, inner);
  }
  for (const list of doers.values()) if (backwards(list, before).size !== nodes.length) return false;
  const mortal = mortals(nodes, before, choices);
  return mortal === 0 || mortal === nodes.length;
}

function backwards(from: readonly number[], before: ReadonlyMap<number, readonly number[]>): Set<number> {
  const seen = new Set(from);
  for (const node of seen) for (const other of before.get(node)!) seen.add(other);
  return seen;
}

/** How many nodes cannot go on hidden inside the class for ever: those whose every inner step leads to such a one. */
function mortals(
  nodes: readonly number[],
  before: ReadonlyMap<number, readonly number[]>,
  choices: Map<number, number>,
): number {
  const dead = nodes.filter((node) => choices.get(node) === 0);
  for (const node of dead) {
    for (const other of before.get(node)!) {
      choices.set(other, choices.get(other)! - 1);
      if (choices.get(other) === 0) dead.push(other);
    }
  }
  return dead.length;
}
