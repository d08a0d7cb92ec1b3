import { expect, test } from 'vitest';
import { channelSiteOf } from '../process/channels.ts';
import type { Expression } from '../process/expression.ts';
import type { FormulaNode, Program } from '../process/program.ts';
import { showExpression, showStatement } from '../process/show.ts';
import { programOf } from './testing.ts';

const variable = (program: Program, name: string) => program.variables.find((entry) => entry.name === name)!;
const proctype = (program: Program, name: string) => program.proctypes.find((entry) => entry.name === name)!;

const constants = (values: readonly Expression[]) =>
  values.map((value) => (value.kind === 'constant' ? value.value : null));

test('mtypes are numbered from the end of each list; sets count for themselves', () => {
  const { mtypes } = programOf('mtype = { a, b, c } mtype = { d }; mtype:f = { p, q }; init { skip }');
  expect(mtypes).toEqual([
    {
      set: '',
      members: [
        { name: 'c', value: 1 },
        { name: 'b', value: 2 },
        { name: 'a', value: 3 },
        { name: 'd', value: 4 },
      ],
    },
    {
      set: 'f',
      members: [
        { name: 'q', value: 1 },
        { name: 'p', value: 2 },
      ],
    },
  ]);
});

test('initial values: at the start they belong to the variable, later they are steps', () => {
  const program = programOf(
    'byte g = 3; byte l[2] = { 4, 5 }; active proctype p(byte n) { byte a = n; short b[2] = 7; a++; byte c = 9; byte d }',
  );
  expect(constants([(variable(program, 'g').initial as { value: Expression }).value])).toEqual([3]);
  expect(constants((variable(program, 'l').initial as unknown as { values: Expression[] }).values)).toEqual([
    4, 5,
  ]);
  expect(variable(program, 'a').initial?.kind).toBe('each');
  expect(variable(program, 'b')).toMatchObject({ length: 2, type: { kind: 'short' } });
  expect(variable(program, 'c').initial).toBeNull();
  const texts = proctype(program, 'p').edges.map((edge) => showStatement(program, edge.statement));
  expect(texts).toEqual(['a++', 'c = 9', 'd = 0', '-end-']);
});

test('types', () => {
  const program = programOf(
    'bit a; bool b; pid c; unsigned u : 5; mtype:s = { k }; mtype:s m; hidden int h; init { skip }',
  );
  expect(program.variables.map((entry) => entry.type)).toEqual([
    { kind: 'bit' },
    { kind: 'bool' },
    { kind: 'pid' },
    { kind: 'unsigned', bits: 5 },
    { kind: 'mtype', set: 's' },
    { kind: 'int' },
  ]);
  expect(variable(program, 'h').hidden).toBe(true);
});

test('channels: sites of variables, arrays, structures and locals; messages are flat', () => {
  const program = programOf(`
    typedef M { byte x; short y[2] };
    typedef S { chan c = [3] of { M, bit }; byte n };
    typedef T { S s[2] };
    chan q[2] = [1] of { mtype, M };
    T t;
    active proctype p() { chan own = [0] of { chan }; M m; q[1]!1,m; q[0]?_,m }`);
  const names = program.channelSites.map((site) => [
    program.variables[site.variable]!.name,
    site.fieldPath.join('.'),
    site.capacity,
    site.fields.map((field) => field.kind).join(' '),
  ]);
  expect(names).toEqual([
    ['q', '', 1, 'mtype byte short short'],
    ['t', 's.c', 3, 'byte short short bit'],
    ['own', '', 0, 'chan'],
  ]);
  expect(channelSiteOf(program, variable(program, 't').id, ['s', 'c'])?.capacity).toBe(3);
  const texts = proctype(program, 'p').edges.map((edge) => showStatement(program, edge.statement));
  expect(texts.slice(0, 2)).toEqual(['q[1]!1,m.x,m.y[0],m.y[1]', 'q[0]?_,m.x,m.y[0],m.y[1]']);
});

test('headers of proctypes', () => {
  const program = programOf(`byte on; active [3] proctype p() priority 7 provided (on > _pid) { skip }
    D_proctype d(byte a; chan c, e) { skip } init priority 2 { skip } never { skip }`);
  const p = proctype(program, 'p');
  expect([p.active, p.priority, showExpression(program, p.provided!)]).toEqual([3, 7, 'on > _pid']);
  const d = proctype(program, 'd');
  expect([d.active, d.deterministic, d.parameters.length]).toEqual([0, true, 3]);
  expect(proctype(program, 'init')).toMatchObject({ kind: 'init', active: 1, priority: 2 });
  expect(program.claims).toHaveLength(1);
});

test('remote references find locations and variables, even when a goto stands there', () => {
  const program = programOf(`byte x;
    active proctype p() { byte loc; x = 1; here: goto there; x = 2; there: loc = 3 }
    active proctype w() { p@here && p[0]:loc == 3 }`);
  const condition = proctype(program, 'w').edges[0]!.statement;
  expect(showStatement(program, condition)).toBe('p@here && p[0]:loc == 3');
  const label = proctype(program, 'p').labels.get('here')!;
  const leaving = proctype(program, 'p').locations[label]!.edges;
  expect(leaving).toHaveLength(1);
});

test('embedded C is kept and listed', () => {
  const program = programOf(
    'c_decl { int k; } c_state "int j" "Global" byte x; init { c_code { now.x++; }; c_expr { now.x > 1 } -> skip }',
  );
  expect(program.opaque.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    'c_decl: int k;',
    'c_state: "int j" "Global"',
    'c_code: now.x++;',
    'c_expr: now.x > 1',
  ]);
});

test('a d_step is one edge with a graph of its own', () => {
  const program = programOf(
    'byte x; init { d_step { x == 0 -> if :: x > 1 -> x = 2 :: else fi; x = 3 }; x = 4 }',
  );
  const [edge] = proctype(program, 'init').edges;
  if (edge!.statement.kind !== 'dstep') throw new Error('no d_step');
  const { body } = edge!.statement;
  expect(body.edges.map((inner) => showStatement(program, inner.statement))).toEqual([
    'x == 0',
    'x > 1',
    'else',
    'x = 2',
    'x = 3',
  ]);
  expect(body.locations.filter((location) => location.edges.length === 0)).toHaveLength(1);
});

const formula = (text: string): string => {
  const program = programOf(`byte p, q, r; init { skip } ltl f { ${text} }`);
  const show = (node: FormulaNode): string => {
    switch (node.kind) {
      case 'atom':
        return showExpression(program, node.expression);
      case 'true':
      case 'false':
        return node.kind;
      case 'not':
      case 'next':
      case 'always':
      case 'eventually':
        return `${node.kind}(${show(node.operand)})`;
      default:
        return `(${show(node.left)} ${node.kind} ${show(node.right)})`;
    }
  };
  return show(program.formulas[0]!.root);
};

test.each([
  ['[] (p -> <> q)', 'always((p implies eventually(q)))'],
  ['p U q && r', '((p until q) and r)'],
  ['p -> q -> r', '((p implies q) implies r)'],
  ['[] p U q', '(always(p) until q)'],
  ['!<> p || X q', '(not(eventually(p)) or next(q))'],
  ['p == 1 U q > 2', '(p == 1 until q > 2)'],
  ['always eventually p implies q W r V p', '(always(eventually(p)) implies ((q weak-until r) release p))'],
  ['p <-> q', '(p equivalent q)'],
  ['[] (p < q && true)', 'always((p < q and true))'],
])('ltl %s', (text, expected) => {
  expect(formula(text)).toBe(expected);
});

test('formulas see labels and what is declared below them', () => {
  const program = programOf('ltl a { [] (x < 3) } ltl { <> p@L } byte x; active proctype p() { L: x = 1 }');
  expect(program.formulas.map(({ name }) => name)).toEqual(['a', 'ltl_0']);
});
