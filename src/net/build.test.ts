import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../base/budget.ts';
import { loadPromela } from '../promela/load.ts';
import { programOf } from '../promela/testing.ts';
import { type Abstraction, buildNet, type NetOptions } from './build.ts';

const corpus = new URL('../../corpus/', import.meta.url);

function netOf(path: string, options: NetOptions = {}): Abstraction {
  const file = new URL(path, corpus).pathname;
  const { program } = loadPromela(file, { read: (name) => readFileSync(name, 'utf8') });
  if (program === null) throw new Error(`${path} does not load`);
  return buildNet(program, options);
}

/** A net as text: one line per transition, `class: from -> to  statement  effect  spawns`. */
function lines({ net }: Abstraction): string[] {
  return net.transitions.map((t) => {
    const process = net.classes[t.class]!;
    const effect = t.effect.map(({ place, change }) => `${change > 0 ? '+' : '-'}${net.places[place]!.name}`);
    const spawns = t.spawns.map((spawn) => `run ${net.classes[spawn.class]!.name}`);
    const words = [
      `${process.name}:`,
      `${process.locations[t.from]!.name} -> ${process.locations[t.to]!.name}`,
    ];
    return [...words, t.text, ...effect, ...spawns, ...(t.progress ? ['PROGRESS'] : [])].join('  ');
  });
}

const classNames = ({ net }: Abstraction): string[] => net.classes.map(({ name }) => name);
const effectsIn = (abstraction: Abstraction, process: string): string[] =>
  lines(abstraction)
    .filter((line) => line.startsWith(`${process}:`))
    .map((line) => line.split('  ').slice(2).join('  '));
const queueNames = ({ net }: Abstraction): string[] => net.queues.map(({ name }) => name);

describe('the models of the papers', () => {
  test('[Ciclo] Fig. 1: the counting loop gives each client its argument', () => {
    const net = netOf('papers/ciclo-fig1.pml');
    expect(net.unknowns).toEqual([]);
    expect(classNames(net)).toEqual(['init', 'client(0)', 'client(1)', 'server']);
    expect(queueNames(net)).toEqual(['ts[0]', 'ts[1]', 'tc[0]', 'tc[1]']);
    expect(net.net.classes.map(({ instances }) => instances)).toEqual([1, 0, 0, 0]);
    expect(effectsIn(net, 'client(1)')).toEqual([
      'ts[id]!req  +ts[1](req)',
      'tc[id]?ack  -tc[1](ack)',
      'ts[id]!rel  +ts[1](rel)',
    ]);
    expect(
      lines(net)
        .filter((line) => line.includes('run client('))
        .map((line) => line.split('  ').pop()),
    ).toEqual(['run client(0)', 'run client(1)']);
  });

  test('[Ciclo] Fig. 4: an ack is never forwarded as a rej', () => {
    expect(lines(netOf('papers/ciclo-fig4.pml')).filter((line) => line.startsWith('Medium'))).toEqual([
      'Medium:  s0 -> s1{msg=rej}  s2m?msg  -s2m(rej)',
      'Medium:  s0 -> s1{msg=ack}  s2m?msg  -s2m(ack)',
      'Medium:  s1{msg=rej} -> s0  m2c!msg  +m2c(rej)',
      'Medium:  s1{msg=ack} -> s0  m2c!msg  +m2c(ack)',
    ]);
  });

  test('[IBOC] 3.1: message types are the atoms of the patterns, restricted to what is sent', () => {
    const { net } = netOf('papers/iboc-fig3.pml');
    expect(net.places.map(({ name }) => name).sort()).toEqual(['C(exact,5)', 'C(exact,_)', 'C(inexact,_)']);
  });

  test('[IBOC] Fig. 5: one class per pair of channels; nothing is received that nobody sends', () => {
    const silent = netOf('papers/iboc-fig5.pml');
    expect(silent.net.places).toEqual([]);
    expect(silent.net.queues.map(({ places }) => places)).toEqual([[], []]);
    const started = netOf('papers/iboc-fig5-started.pml');
    expect(classNames(started)).toEqual(['init', 'P(C,D)', 'P(D,D)']);
    expect(effectsIn(started, 'P(D,D)')).toEqual([
      'X?msg0  -D(msg0)',
      'Y!msg0  +D(msg0)',
      'Y!msg0  +D(msg0)',
    ]);
  });

  test('[IBOC] Figs. 6 and 7: a channel assignment counts from where it stands', () => {
    expect(effectsIn(netOf('papers/iboc-fig6-started.pml'), 'P')).toContain('C?msg0  -D(msg0)');
    expect(effectsIn(netOf('papers/iboc-fig7-started.pml'), 'P')).toContain('C?msg0  -C(msg0)');
  });

  test('[IBOC] Figs. 8 to 10: process creation in loops, of itself, of each other', () => {
    expect(lines(netOf('papers/iboc-fig8.pml'))).toContain('P:  s0 -> s0  run Q()  run Q');
    expect(lines(netOf('papers/iboc-fig9.pml'))).toContain('P:  s1 -> s2  run P()  run P');
    const mutual = netOf('papers/iboc-fig10-started.pml');
    expect(classNames(mutual)).toEqual(['init', 'P', 'Q']);
    expect(effectsIn(mutual, 'Q')).toEqual([]);
  });
});

describe('channels', () => {
  test('a reply goes to the channel that came with the request', () => {
    const net = buildNet(
      programOf(`
        chan service = [4] of { chan };
        active [2] proctype client() { chan reply = [1] of { bit }; service!reply; reply?1 }
        chan fixed = [1] of { bit };
        active proctype other() { service!fixed; fixed?1 }
        active proctype server() { chan to; do :: service?to -> to!1 od }
      `),
    );
    expect(net.unknowns).toEqual([]);
    expect(queueNames(net)).toEqual(['service', 'fixed', 'client.reply']);
    expect(lines(net).filter((line) => line.startsWith('server'))).toEqual([
      'server:  s0 -> s1{to=client.reply}  service?to  -service(client.reply)',
      'server:  s0 -> s1{to=fixed}  service?to  -service(fixed)',
      'server:  s1{to=client.reply} -> s0  to!1  +client.reply(1)',
      'server:  s1{to=fixed} -> s0  to!1  +fixed(1)',
    ]);
  });

  test('recursive creation with local channels and growing arguments stays finite', () => {
    const net = buildNet(
      programOf(`
        proctype node(chan up; int depth) {
          chan own = [1] of { int };
          up!depth;
          run node(own, depth + 1)
        }
        chan root = [1] of { int };
        init { run node(root, 0) }
      `),
    );
    expect(net.unknowns).toEqual([]);
    expect(net.net.classes.length).toBeLessThan(60);
    expect(new Set(queueNames(net))).toEqual(new Set(['root', 'node.own']));
  });

  test('an unknown index is any element; a number used as a channel is not guessed', () => {
    const some = buildNet(
      programOf(`
        chan q[3] = [1] of { bit };
        active proctype p() { byte i; select (i : 0 .. 2); q[i]!1 }
      `),
      { unfold: 'none' },
    );
    expect(effectsIn(some, 'p').filter((text) => text.startsWith('q['))).toEqual([
      'q[i]!1  +q[0](_)',
      'q[i]!1  +q[1](_)',
      'q[i]!1  +q[2](_)',
    ]);
    const guessed = buildNet(
      programOf('chan q = [1] of { bit }; byte n; active proctype p() { chan c; c = n + 1; c!1 }'),
    );
    expect(guessed.unknowns.map(({ reasonCode }) => reasonCode)).toEqual(['unknown-channel']);
  });

  test('embedded C makes everything unknown, if it can be reached', () => {
    const seen = buildNet(programOf('active proctype p() { c_code { x = 1; } }'));
    expect(seen.unknowns.map(({ reasonCode }) => reasonCode)).toEqual(['embedded-c']);
    const unseen = buildNet(programOf('active proctype p() { false; c_code { x = 1; } }'));
    expect(unseen.unknowns).toEqual([]);
    const guard = buildNet(programOf('active proctype p() { c_expr { x == 1 } }'));
    expect(guard.unknowns.map(({ reasonCode }) => reasonCode)).toEqual(['embedded-c']);
  });
});

describe('values in control', () => {
  test('bytes wrap', () => {
    const net = buildNet(
      programOf('chan q[2] = [1] of { bit }; active proctype p() { byte i = 255; i++; q[i]!1 }'),
    );
    expect(effectsIn(net, 'p')).toContain('q[i]!1  +q[0](_)');
  });

  test('a global of one writing instance is unfolded in its writer', () => {
    const net = buildNet(
      programOf(`
        byte turn; chan q[2] = [1] of { bit };
        active proctype p() { do :: q[turn]!1; turn = 1 - turn od }
        active proctype reader() { turn == 1 }
      `),
    );
    expect(effectsIn(net, 'p')).toEqual([
      'q[turn]!1  +q[0](_)',
      'turn = 1 - turn',
      'q[turn]!1  +q[1](_)',
      'turn = 1 - turn',
    ]);
  });

  test('refinement asks for the guards along a cycle, and gets them', () => {
    const program = programOf(
      'chan q = [1] of { bit }; active proctype p() { byte n; do :: n < 3 -> q!1; n++ :: else -> break od }',
    );
    const coarse = buildNet(program);
    const asked = coarse.guardVariables(coarse.net.transitions.keys());
    expect([...asked].map(coarse.variableName)).toEqual(['p.n']);
    const fine = buildNet(program, { also: asked });
    expect(effectsIn(fine, 'p').filter((text) => text.startsWith('q!1'))).toHaveLength(3);
    expect(fine.guardVariables(fine.net.transitions.keys()).size).toBe(0);
  });
});

describe('tokens and atomic segments', () => {
  const lock = `
    bool busy; chan q = [4] of { bit };
    active [3] proctype p() { do :: atomic { !busy -> q!1; busy = true }; busy = false od }
  `;
  test('a guard and the assignment it protects move a token together, with a send between them', () => {
    const net = buildNet(programOf(lock));
    expect(lines(net)).toEqual([
      'p:  s0 -> s3  !busy; q!1; busy = true  +q(_)  -busy=0  +busy=1',
      'p:  s3 -> s0  busy = false',
      'p:  s3 -> s0  busy = false  -busy=1  +busy=0',
    ]);
    expect(net.assumesNeverFull).toEqual([0]);
  });

  test('for any capacities a send may block, so the segment ends before it', () => {
    const net = buildNet(programOf(lock), { capacities: 'any' });
    expect(lines(net)[0]).toBe('p:  s0 -> s1  !busy');
    expect(net.assumesNeverFull).toEqual([]);
  });

  test('no peak is hidden', () => {
    const atomic = buildNet(
      programOf('chan q = [1] of { bit }; active proctype p() { atomic { q!1; q?1 } }'),
    );
    expect(lines(atomic)).toEqual(['p:  s0 -> s1  q!1  +q(1)', 'p:  s1 -> s2  q?1  -q(1)']);
    const dstep = buildNet(programOf('chan q = [1] of { bit }; active proctype p() { d_step { q!1; q?1 } }'));
    expect(lines(dstep).filter((line) => line.includes('+q(1)'))).toHaveLength(1);
    expect(lines(dstep).filter((line) => line.includes('-q(1)'))).toHaveLength(1);
  });

  test('rendezvous types are places of their own kind', () => {
    const { net } = buildNet(
      programOf('chan r = [0] of { bit }; active proctype p() { r!1 } active proctype q() { r?1 }'),
    );
    expect(net.places).toMatchObject([{ name: 'r(1)', kind: 'rendezvous', initial: 0 }]);
  });
});

describe('progress', () => {
  const served = 'papers/ciclo-fig1.pml';
  const marked = (abstraction: Abstraction): string[] =>
    lines(abstraction).filter((line) => line.endsWith('PROGRESS'));

  test('labels: transitions that leave the location; inside atomic SPIN sees none', () => {
    const net = buildNet(
      programOf(
        `active proctype p() { do :: skip; progress: skip; atomic { skip; progress2: skip; skip } od }`,
      ),
    );
    expect(marked(net)).toHaveLength(1);
  });

  test.each([
    ['client(0):tc[0]?ack', 1],
    ['client(0):tc[id]?ack', 1],
    ['client:tc[id]?ack', 2],
    ['tc[1]?ack', 1],
    ['18', 6],
    ['ciclo-fig1.pml:11', 6],
  ])('the selector %s marks %i transitions', (selector, count) => {
    const net = netOf(served, { progress: [selector] });
    expect(net.diagnostics).toEqual([]);
    expect(marked(net)).toHaveLength(count);
  });

  test('a selector that names nothing gets a suggestion', () => {
    const { diagnostics } = netOf(served, { progress: ['client(0):tc[0]?akc'] });
    expect(diagnostics.map(({ code, help }) => [code, help])).toEqual([
      ['SPW2001', "did you mean 'client(0):tc[0]?ack'?"],
    ]);
  });
});

test('the order in which SPIN numbers processes tells instances apart by _pid', () => {
  const net = buildNet(
    programOf('chan q[3] = [1] of { bit }; active [2] proctype p() { q[_pid]!1 } init { q[_pid]!1 }'),
  );
  expect(lines(net)).toEqual([
    'p(_pid=0):  s0 -> s1  q[_pid]!1  +q[0](_)',
    'p(_pid=1):  s0 -> s1  q[_pid]!1  +q[1](_)',
    'init(_pid=2):  s0 -> s1  q[_pid]!1  +q[2](_)',
  ]);
});

test('a net that was cut off in the middle starts nothing that is not there, and says so', () => {
  const program = programOf(`chan q = [1] of { byte }; byte g;
proctype W(byte id) { byte x = id; do :: x++ -> q!x :: q?x :: atomic { g == 0 -> g = 1 } :: g = 0 :: else -> break od }
init { byte i; do :: i < 3 -> run W(i); i++ :: else -> break od }`);
  // The time runs out after ever more questions to the clock: at every point of the exploration once.
  for (let patience = 1; patience < 40; patience++) {
    let asked = 0;
    const timeLeft = (): boolean => ++asked <= patience;
    const { net, unknowns } = buildNet(program, { budget: { ...UNLIMITED, timeLeft } });
    for (const { spawns } of net.transitions) {
      for (const spawn of spawns) expect(net.classes[spawn.class]).toBeDefined();
    }
    if (asked > patience) expect(unknowns.length).toBeGreaterThan(0);
  }
});
