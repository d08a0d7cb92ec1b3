import fc from 'fast-check';
import { expect, test } from 'vitest';
import { components, cyclicArcs } from './components.ts';
import { elementaryCycles } from './cycles.ts';
import { type Arc, coreachable, type Digraph, digraph, reachable } from './digraph.ts';
import { dominators } from './dominators.ts';
import { decomposeFlow } from './flow.ts';

const graphs = (maxNodes: number, maxArcs: number): fc.Arbitrary<Digraph> =>
  fc.integer({ min: 1, max: maxNodes }).chain((nodeCount) => {
    const node = fc.integer({ min: 0, max: nodeCount - 1 });
    const arcs: fc.Arbitrary<Arc[]> = fc.array(fc.record({ from: node, to: node }), { maxLength: maxArcs });
    return arcs.map((list) => digraph(nodeCount, list));
  });
const property = <T>(values: fc.Arbitrary<T>, holds: (value: T) => void): void =>
  fc.assert(fc.property(values, holds), { seed: 7, numRuns: 120 });

/** Elementary cycles by brute force: depth-first walks that return to their smallest node. */
function naiveCycles(graph: Digraph): string[] {
  const found: string[] = [];
  const walk = (root: number, node: number, seen: Set<number>, path: number[]): void => {
    for (const arc of graph.out[node]!) {
      const { to } = graph.arcs[arc]!;
      if (to === root) found.push([...path, arc].join());
      else if (to > root && !seen.has(to)) walk(root, to, new Set([...seen, to]), [...path, arc]);
    }
  };
  for (let root = 0; root < graph.nodeCount; root++) walk(root, root, new Set([root]), []);
  return found.sort();
}

test('components are mutual reachability, in reverse topological order', () => {
  property(graphs(8, 16), (graph) => {
    const found = components(graph);
    const forward = Array.from({ length: graph.nodeCount }, (_, node) => reachable(graph, [node]));
    for (let a = 0; a < graph.nodeCount; a++) {
      expect(found.members[found.of[a]!]).toContain(a);
      for (let b = 0; b < graph.nodeCount; b++)
        expect(found.of[a] === found.of[b]).toBe(forward[a]!.has(b) && forward[b]!.has(a));
    }
    for (const arc of graph.arcs) expect(found.of[arc.from]).toBeGreaterThanOrEqual(found.of[arc.to]!);
  });
});

test('coreachable is reachable backwards', () => {
  property(graphs(8, 16), (graph) => {
    const back = coreachable(graph, [0]);
    for (let node = 0; node < graph.nodeCount; node++)
      expect(back.has(node)).toBe(reachable(graph, [node]).has(0));
  });
});

test('cycles: the same as brute force, parallel arcs and loops included', () => {
  property(graphs(6, 12), (graph) => {
    const { cycles, complete } = elementaryCycles(graph, { maxCycles: Number.POSITIVE_INFINITY });
    expect(complete).toBe(true);
    expect(cycles.map((cycle) => cycle.join()).sort()).toEqual(naiveCycles(graph));
    const onCycles = new Set(cycles.flat());
    expect([...onCycles].sort((a, b) => a - b)).toEqual(cyclicArcs(graph));
  });
});

test('cycles: the limit stops the enumeration and says so', () => {
  const arcs = Array.from({ length: 20 }, (_, i) => [
    { from: i, to: (i + 1) % 20 },
    { from: i, to: (i + 1) % 20 },
  ]).flat();
  const { cycles, complete } = elementaryCycles(digraph(20, arcs), { maxCycles: 1000 });
  expect(cycles.length).toBe(1000);
  expect(complete).toBe(false);
  const stopped = elementaryCycles(digraph(20, arcs), { maxCycles: 1e9, goOn: () => false });
  expect(stopped.complete).toBe(false);
});

test('dominators: removing the dominator cuts the node off', () => {
  property(graphs(8, 16), (graph) => {
    const found = dominators(graph, 0);
    const alive = reachable(graph, [0]);
    for (let cut = 0; cut < graph.nodeCount; cut++) {
      const rest = digraph(
        graph.nodeCount,
        graph.arcs.filter((arc) => arc.from !== cut && arc.to !== cut),
      );
      const without = cut === 0 ? new Set<number>() : reachable(rest, [0]);
      for (let node = 0; node < graph.nodeCount; node++) {
        if (alive.has(cut)) expect(found.dominates(cut, node)).toBe(alive.has(node) && !without.has(node));
        else expect(found.immediate[cut]).toBe(-1);
      }
    }
  });
});

test('a flow is the sum of its parts, each elementary', () => {
  const flows = graphs(7, 14).chain((graph) =>
    fc
      .array(fc.bigInt({ min: 0n, max: 5n }), { minLength: graph.arcs.length, maxLength: graph.arcs.length })
      .map((flow) => ({ graph, flow })),
  );
  property(flows, ({ graph, flow }) => {
    const sum = flow.map(() => 0n);
    for (const part of decomposeFlow(graph, flow)) {
      expect(part.times > 0n).toBe(true);
      const nodes = part.arcs.map((arc) => graph.arcs[arc]!.from);
      const last = graph.arcs[part.arcs[part.arcs.length - 1]!]!.to;
      expect(new Set(nodes).size).toBe(nodes.length);
      if (part.kind === 'cycle') expect(last).toBe(nodes[0]);
      else expect(nodes).not.toContain(last);
      for (const [i, arc] of part.arcs.entries()) {
        if (i > 0) expect(graph.arcs[part.arcs[i - 1]!]!.to).toBe(graph.arcs[arc]!.from);
        sum[arc]! += part.times;
      }
    }
    expect(sum).toEqual(flow);
  });
});
