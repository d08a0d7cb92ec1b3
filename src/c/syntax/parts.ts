// A walk over the syntax tree that needs no case for each kind of node: the tree is plain data. Places in the text are no parts, nor are the units of strings, of
// which there can be a million.

/** Nodes and lists of nodes inside a node or list, each with its name there. */
export function partsOf(node: object): readonly (readonly [name: string, part: object])[] {
  if (Array.isArray(node) && typeof node[0] === 'number') return [];
  const parts: [string, object][] = [];
  for (const name in node) {
    const part = (node as Readonly<Record<string, unknown>>)[name];
    if (name !== 'span' && typeof part === 'object' && part !== null) parts.push([name, part]);
  }
  return parts;
}

/** Is it so of one node at least? `watch` is called for every one; it may throw when the time is over. */
export function someNode(root: object, holds: (node: object) => boolean, watch: () => void): boolean {
  watch();
  return holds(root) || partsOf(root).some(([, part]) => someNode(part, holds, watch));
}
