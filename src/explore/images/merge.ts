// A program in which kinds of messages that nobody tells apart are one kind: the colours of a test message, the contents of frames.
// ("Data independence": P. Wolper, "Expressing interesting properties of programs in propositional temporal logic", POPL 1986.)
//
// *Carriers* are the variables and message fields (by position) that such constants reach; they may only be copied, sent, printed, and compared
// with constants. Two constants are merged when no comparison names them and every choice that receives one of them by name receives the
// other in the same way. Then what is executable is the same before and after (so that else and timeout agree), and every run of the program
// is a run of the merged one, which may have more: after a receive by name the branch of any of the merged kinds may be taken.
// Anything else that a carrier is used for, and nothing is merged.

import type { Expression, LValue } from '../../process/expression.ts';
import type { Edge, Program, Receive, Statement, VariableId } from '../../process/program.ts';
import { mentions, walkProgram } from '../../process/walk.ts';

export interface Merged {
  readonly program: Program;
  /** The names that are one now. */
  readonly names: readonly (readonly string[])[];
}

/** Null when nothing can be merged. */
export function mergeMessages(program: Program): Merged | null {
  if (program.opaque.length > 0) return null;
  const carriers = carriersOf(program);
  if (carriers === null || !staysCopied(program, carriers)) return null;
  const classes = classesOf(program, carriers);
  if (classes.length === 0) return null;
  const kept = new Map(classes.flatMap((values) => values.map((value) => [value, values[0]!])));
  const proctypes = program.proctypes.map((proctype) => ({
    ...proctype,
    edges: proctype.edges.map((edge) => ({ ...edge, statement: renamed(edge.statement, carriers, kept) })),
  }));
  const names = namesOf(program);
  return {
    program: { ...program, proctypes },
    names: classes.map((values) => values.map((value) => names.get(value) ?? String(value))),
  };
}

interface Carriers {
  readonly variables: Set<VariableId>;
  readonly fields: Set<number>;
}

const isName = (expression: Expression): boolean =>
  expression.kind === 'constant' && expression.type.kind === 'mtype';

/** Grows until copies lead nowhere else; null where a process gets one when it starts. */
function carriersOf(program: Program): Carriers | null {
  const variables = new Set<VariableId>();
  const fields = new Set<number>();
  const isCarrier = (value: Expression): boolean =>
    isName(value) || (value.kind === 'read' && variables.has(value.cell.variable));
  const copy = (value: Expression, isTarget: boolean, add: () => void): void => {
    if (isCarrier(value)) add();
    else if (isTarget && value.kind === 'read') variables.add(value.cell.variable);
  };
  let started = false;
  for (let before = -1; before !== variables.size + fields.size; ) {
    before = variables.size + fields.size;
    for (const { edges } of program.proctypes)
      for (const { statement } of edges) {
        if (statement.kind === 'assign') {
          const { variable } = statement.target;
          copy(statement.value, variables.has(variable), () => variables.add(variable));
        }
        if (statement.kind === 'send')
          statement.args.forEach((value, i) => {
            copy(value, fields.has(i), () => fields.add(i));
          });
        if (statement.kind === 'receive')
          statement.args.forEach((argument, i) => {
            if (argument.kind !== 'store') return;
            if (fields.has(i)) variables.add(argument.target.variable);
            else if (variables.has(argument.target.variable)) fields.add(i);
          });
        started ||= mentions(statement, (part) => part.kind === 'run' && part.args.some(isCarrier));
      }
  }
  return started || fields.size === 0 ? null : { variables, fields };
}

/** Are carriers only copied, sent, printed, and compared with constants; and is nothing but constants and carriers put into them? */
function staysCopied(program: Program, { variables, fields }: Carriers): boolean {
  const isRead = (value: Expression): boolean => value.kind === 'read' && variables.has(value.cell.variable);
  const isSource = (value: Expression): boolean => value.kind === 'constant' || isRead(value);
  let allowed = 0;
  let found = 0;
  let fine = true;
  const count = (value: Expression): void => {
    if (isRead(value)) allowed++;
  };
  walkProgram(program, null, {
    expression: (expression) => {
      if (isRead(expression)) found++;
      if (expression.kind === 'binary' && /^[!=]=$/.test(expression.operator)) {
        if (expression.right.kind === 'constant') count(expression.left);
        if (expression.left.kind === 'constant') count(expression.right);
      }
      if (expression.kind === 'remote-read' && variables.has(expression.cell.variable)) fine = false;
    },
    statement: (statement) => {
      if (statement.kind === 'assign') {
        const isTarget = variables.has(statement.target.variable);
        if (isTarget) fine &&= isSource(statement.value) && statement.target.storage.bits >= 8;
        count(statement.value);
      }
      if (statement.kind === 'send')
        statement.args.forEach((value, i) => {
          count(value);
          if (fields.has(i)) fine &&= isSource(value) && !statement.sorted;
        });
      if (statement.kind === 'print') statement.args.forEach(count);
      if (statement.kind === 'receive')
        statement.args.forEach((argument, i) => {
          if (argument.kind === 'store' && fields.has(i)) fine &&= argument.target.storage.bits >= 8;
          if (argument.kind === 'match' && fields.has(i))
            fine &&= argument.value.kind === 'constant' && !statement.random;
        });
      if (statement.kind === 'dstep') fine &&= !touches(statement, variables);
    },
  });
  fine &&= program.channelSites.every(({ storage }) =>
    storage.every(({ bits }, i) => !fields.has(i) || bits >= 8),
  );
  // Names that are not sent or assigned as they stand would have to be looked at one by one.
  return fine && found === allowed && initialsAreZero(program, variables);
}

const initialsAreZero = (program: Program, variables: ReadonlySet<VariableId>): boolean =>
  program.variables.every(
    ({ id, initial }) =>
      !variables.has(id) ||
      initial === null ||
      (initial.kind === 'each' && initial.value.kind === 'constant' && initial.value.value === 0),
  );

/** A d_step chooses the first branch that can be taken: it is not looked into. */
function touches(statement: Statement & { kind: 'dstep' }, variables: ReadonlySet<VariableId>): boolean {
  return (
    mentions(statement, (part) => part.kind === 'read' && variables.has(part.cell.variable)) ||
    statement.body.edges.some(({ statement: { kind } }) => ['send', 'receive', 'dstep'].includes(kind))
  );
}

/** The values that are sent by name and told apart nowhere, in classes of two or more. */
function classesOf(program: Program, { fields }: Carriers): number[][] {
  const marks = new Map<number, string[]>();
  const named = namesOf(program);
  for (const value of named.keys()) marks.set(value, []);
  const mark = (value: number, text: string): void => void marks.get(value)?.push(text);
  const apart = (value: number): void => mark(value, `only ${value}`);
  walkProgram(program, null, {
    expression: (expression) => {
      if (expression.kind === 'binary')
        for (const side of [expression.left, expression.right])
          if (side.kind === 'constant') apart(side.value);
      if (expression.kind === 'poll')
        for (const argument of expression.args)
          if (argument.kind === 'match' && argument.value.kind === 'constant') apart(argument.value.value);
    },
  });
  for (const { edges, id, locations } of program.proctypes)
    for (const edge of edges) {
      const { statement } = edge;
      if (statement.kind !== 'receive') continue;
      statement.args.forEach((argument, i) => {
        if (argument.kind !== 'match' || argument.value.kind !== 'constant' || !fields.has(i)) return;
        if (blocksOthers(edges, edge)) apart(argument.value.value);
        const around = locations[edge.from]!.edges;
        const behindElse = around
          .slice(0, around.indexOf(edge.id))
          .some((other) => edges[other]!.statement.kind === 'else');
        mark(argument.value.value, `${id} ${edge.from} ${i} ${behindElse} ${likeReceives(statement, i)}`);
      });
    }
  const groups = new Map<string, number[]>();
  for (const [value, texts] of marks) {
    const key = [...new Set(texts)].sort().join('\n');
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return [...groups.values()]
    .filter((values) => values.length > 1)
    .map((values) => values.sort((a, b) => a - b));
}

/** The receive without the value at one position, as text. */
const likeReceives = ({ channel, args, copy, random }: Receive, position: number): string =>
  JSON.stringify(
    [channel, args.map((argument, i) => (i === position ? 0 : argument)), copy, random],
    (key, value) => (key === 'span' ? undefined : value),
  );

const blocksOthers = (edges: readonly Edge[], edge: Edge): boolean =>
  edges.some(({ blockedBy }) => blockedBy.includes(edge.id));

function namesOf(program: Program): Map<number, string> {
  const names = new Map<number, string>();
  walkProgram(program, null, {
    expression: (expression) => {
      if (expression.kind === 'constant' && isName(expression))
        names.set(expression.value, expression.name ?? String(expression.value));
    },
  });
  return names;
}

function renamed(
  statement: Statement,
  { variables, fields }: Carriers,
  kept: ReadonlyMap<number, number>,
): Statement {
  const rename = (value: Expression): Expression => {
    const other = value.kind === 'constant' ? kept.get(value.value) : undefined;
    return value.kind === 'constant' && other !== undefined ? { ...value, value: other } : value;
  };
  const target = (cell: LValue): boolean => variables.has(cell.variable);
  if (statement.kind === 'assign' && target(statement.target))
    return { ...statement, value: rename(statement.value) };
  if (statement.kind === 'send')
    return { ...statement, args: statement.args.map((value, i) => (fields.has(i) ? rename(value) : value)) };
  if (statement.kind === 'receive')
    return {
      ...statement,
      args: statement.args.map((argument, i) =>
        argument.kind === 'match' && fields.has(i)
          ? { ...argument, value: rename(argument.value) }
          : argument,
      ),
    };
  return statement;
}
