import { describe, expect, test } from 'vitest';
import type { Edge, VariableId } from '../process/program.ts';
import { programOf } from '../promela/testing.ts';
import type { ClassGraph } from './class-graph.ts';
import { instantiate, type System } from './instantiate.ts';
import { offersAt } from './offers.ts';
import { fieldPlan, Planner } from './plan.ts';
import { type Transfer, transfer } from './transfer.ts';
import { ANY } from './value.ts';

const RING = `
mtype = { token, ask, answer };
chan link[3] = [2] of { mtype, byte };
chan meet = [0] of { byte };
byte shared, other[3];
active [3] proctype station() {
  byte got; mtype kind;
  do
  :: link[_pid]?kind(got) -> atomic { shared = shared + got; other[got % 3] = got; link[(_pid + 1) % 3]!kind(got) }
  :: link[_pid]?eval(ask),got -> d_step { got = 0; shared = 0 }
  :: meet?got -> skip
  :: shared == 2 -> link[_pid]!token(shared)
  :: meet!3
  :: else -> run helper(got)
  od
}
proctype helper(byte n) { link[n % 3]!ask(n) }`;

const MODE = { fuse: true, coarse: false, limit: 512 };

/** Everything about the tables of an exploration that anybody can see. */
const seen = ({ world }: System): unknown =>
  structuredClone({
    plan: { ...world.plan },
    queues: world.queues.all.map(({ messages, asked, distinguished, sent, name }) => ({
      name,
      messages,
      asked,
      distinguished,
      sent: sent.map(({ known }) => known),
    })),
    classes: world.classes.all.map(({ key }) => key),
    waiting: world.waiting,
    unknowns: world.unknowns.map(({ reason }) => reason),
    neverFull: [...world.assumedNeverFull].map(({ name }) => name),
    mayFail: world.mayFail,
    work: world.work,
  });

const edgesAt = ({ process }: ClassGraph, location: number): readonly Edge[] =>
  process.proctype.locations[location]!.edges.map((edge) => process.proctype.edges[edge]!);

function everyTransfer(system: System): Transfer[] {
  return system.graphs.flatMap((graph) =>
    graph.states
      .filter(({ point }) => point.inside === null)
      .flatMap((state) =>
        edgesAt(graph, state.point.location).map((edge) =>
          transfer(system.world, graph.process, state, edge, MODE),
        ),
      ),
  );
}

/** Without what differs between two looks at the same thing. */
const told = ({ outcomes, updates }: Transfer): unknown => [
  outcomes?.map(({ effects, moves, state, starts, writes, blurs }) => ({
    effects: effects.map(({ queue, message, kind }) => [queue.name, message, kind]),
    moves,
    state,
    starts: starts.map(({ proctype, args }) => [proctype, args]),
    writes,
    blurs,
  })),
  [...updates.reads],
  [...updates.uses].map(({ name }) => name),
  updates.wishes.map(({ kind }) => kind),
];

describe('the transfer function', () => {
  test('changes nothing, and says the same when it is asked again', () => {
    const system = instantiate(programOf(RING));
    const before = seen(system);
    const first = everyTransfer(system).map(told);
    expect(first.length).toBeGreaterThan(30);
    expect(seen(system)).toEqual(before);
    expect(everyTransfer(system).map(told)).toEqual(first);
    expect(seen(system)).toEqual(before);
  });

  test('facts about a finished exploration leave it as it is', () => {
    const system = instantiate(programOf(RING));
    const before = seen(system);
    for (const graph of system.graphs)
      for (const state of graph.states) offersAt(system.world, graph, state, { canStart: true });
    expect(seen(system)).toEqual(before);
  });

  test('a fixpoint: nothing that it still asks for is missing', () => {
    const system = instantiate(programOf(RING));
    for (const { outcomes, updates } of everyTransfer(system)) {
      for (const wish of updates.wishes) {
        if (wish.kind === 'ask') expect(wish.queue.asked[wish.field]).toContain(wish.value);
        if (wish.kind === 'distinguish') expect(wish.queue.distinguished[wish.field]).toContain(wish.value);
        expect(wish.kind).not.toBe('never-full');
      }
      for (const { sends } of outcomes ?? [])
        for (const { queue, message } of sends) expect([...queue.messages.values()]).toContainEqual(message);
    }
  });

  test('what a way reads, uses, writes and starts is in what it returns', () => {
    const program = programOf(
      `chan q = [1] of { byte }; byte x, y; active proctype p() { y = x + 1; q!y; run r(7) } proctype r(byte n) { skip }`,
    );
    const system = instantiate(program, { unfold: 'none' });
    const [graph] = system.graphs;
    const ways = graph!.states.flatMap((state) =>
      edgesAt(graph!, state.point.location).map((edge) =>
        transfer(system.world, graph!.process, state, edge, MODE),
      ),
    );
    const [assign, send, start] = ways;
    expect(assign!.outcomes![0]!.writes.map(({ value }) => value)).toEqual([1]);
    expect(assign!.updates.reads.size).toBe(1);
    expect(send!.outcomes!.flatMap(({ sends }) => sends.map(({ queue }) => queue.name))).toContain('q');
    expect([...send!.updates.uses].map(({ name }) => name)).toEqual(['q']);
    // With room for one more process, and without.
    expect(start!.outcomes!.map(({ starts }) => starts.map(({ args }) => args))).toContainEqual([[7]]);
  });

  test('too many ways are none', () => {
    const system = instantiate(
      programOf(`chan q = [2] of { byte }; byte n;
        active proctype r() { byte x; q?x; q?5 }
        active proctype s() { do :: q!n :: q!5 :: n++ od }`),
      { unfold: 'none' },
    );
    const [graph] = system.graphs;
    const [state] = graph!.states;
    const [edge] = edgesAt(graph!, state!.point.location);
    const ways = (limit: number) =>
      transfer(system.world, graph!.process, state!, edge!, { fuse: false, coarse: false, limit }).outcomes;
    expect(ways(2)).toHaveLength(2);
    expect(ways(1)).toBe(null);
  });
});

describe('plans are values', () => {
  const variable = (id: number): VariableId => id as VariableId;

  test('a plan that was given out never changes', () => {
    const planner = new Planner(true);
    const plans = [planner.plan];
    const steps = [
      () => planner.unfold(variable(1)),
      () => planner.own(variable(1), 'init'),
      () => planner.addToken(4),
      () => planner.dropToken(4),
      () => planner.open('0:1'),
      () => planner.stopFusing('0:2'),
      () => planner.ask('q', 1, 5),
      () => planner.split('q', 0),
      () => planner.giveUpSplitting('q', 0),
      () => planner.merge(0, 'undecided'),
      () => planner.distinguishBy([variable(2), variable(3)]),
      () => planner.share(variable(1)),
    ];
    const copies = [structuredClone(planner.plan)];
    for (const step of steps) {
      step();
      plans.push(planner.plan);
      copies.push(structuredClone(planner.plan));
    }
    expect(plans).toEqual(copies);
    expect(new Set(plans).size).toBe(plans.length);
  });

  test('what an exploration took into account by itself is no reason to explore again', () => {
    const planner = new Planner(true);
    planner.ask('q', 1, 5);
    planner.stopFusing('0:2');
    planner.distinguishBy([variable(1)]);
    expect(planner.changed).toBe(false);
    expect(fieldPlan(planner.plan, 'q', 1)).toEqual({ asked: new Set([5]), split: false, tooMany: false });
    expect(fieldPlan(planner.plan, 'q', 0).asked.size).toBe(0);
    planner.merge(0, 'plain');
    planner.changed = false;
    planner.distinguishBy([variable(2)]);
    expect(planner.changed).toBe(true);
  });

  test('a field that had too many values is not split again, nor a large variable unfolded', () => {
    const planner = new Planner(true);
    planner.split('q', 0);
    planner.giveUpSplitting('q', 0);
    planner.changed = false;
    planner.split('q', 0);
    planner.dropVariable(variable(3));
    expect(planner.unfold(variable(3))).toBe(false);
    planner.tryAgain((one) => one === variable(3));
    expect(planner.unfold(variable(3))).toBe(true);
    expect(fieldPlan(planner.plan, 'q', 0).split).toBe(false);
  });
});

test('messages with values that are not known are one kind beside those that are asked for', () => {
  const system = instantiate(
    programOf(`chan q = [2] of { byte }; byte n;
      active proctype s() { do :: n++ :: q!n :: q!5 od }
      active proctype r() { do :: q?5 :: q?_ od }`),
    { unfold: 'none', limits: { valuesPerShared: 2 } },
  );
  const [queue] = system.world.queues.all;
  expect([...queue!.messages.values()].map(([field]) => field).sort()).toEqual([5, ANY].sort());
});
