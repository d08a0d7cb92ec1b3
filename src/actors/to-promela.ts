// A system of actors as a Promela model: the program of translate.ts (distributed scheduler) in SPIN's language, for other tools and as a
// second opinion on the translation. Messages are numbers; a comment says which is which.

import type { Edge, Proctype, Program, Statement } from '../process/program.ts';
import type { ActorSystem } from './system.ts';
import { translate } from './translate.ts';

export function toPromela(system: ActorSystem): string {
  const { program } = translate(system, { effects: 'distributed' });
  const lines = [
    `/* ${comment(system.name)}: every actor a process with a mailbox; what is sent is a number. */`,
    ...program.channelSites.map(
      ({ variable, capacity }) =>
        `chan c${variable} = [${capacity}] of { short }; /* ${comment(program.variables[variable]!.name)} */`,
    ),
    ...program.proctypes.flatMap((proctype) => ['', ...process(program, proctype)]),
  ];
  return `${lines.join('\n')}\n`;
}

const comment = (text: string): string => text.replaceAll('*/', '* /').replace(/\s+/g, ' ');

function process(program: Program, proctype: Proctype): string[] {
  const inner = new Set(proctype.edges.filter(({ keepsControl }) => keepsControl).map(({ to }) => to));
  const label = (id: number): string => {
    const { isEnd, isProgress } = proctype.locations[id]!;
    return `${isEnd ? 'end_' : isProgress ? 'progress_' : ''}L${id}`;
  };
  const body = proctype.locations.flatMap(({ id, edges, isFinal }) => {
    if (inner.has(id)) return [];
    const ways = edges.map((edge) => way(program, proctype, proctype.edges[edge]!, label));
    if (isFinal) return [`${label(id)}: skip`];
    if (ways.length === 0) return [`${label(id)}: false;`];
    return [`${label(id)}:`, '  if', ...ways.map((one) => `  :: ${one}`), '  fi;'];
  });
  const active = proctype.active > 0 ? `active${proctype.active > 1 ? ` [${proctype.active}]` : ''} ` : '';
  return [
    `${active}proctype p${proctype.id}() { /* ${comment(proctype.name)} */`,
    `  goto ${label(proctype.initial)};`,
    ...body,
    '}',
  ];
}

/** One edge, or a row of them that nothing may come between. */
function way(program: Program, proctype: Proctype, first: Edge, label: (id: number) => string): string {
  const statements: string[] = [];
  let edge = first;
  for (;;) {
    statements.push(statementText(edge.statement));
    if (!edge.keepsControl) break;
    edge = proctype.edges[proctype.locations[edge.to]!.edges[0]!]!;
  }
  const said = comment(sayings(program, first.statement));
  const text = statements.length === 1 ? statements[0]! : `atomic { ${statements.join('; ')} }`;
  return `${text} -> goto ${label(edge.to)}${said === '' ? '' : ` /* ${said} */`}`;
}

function sayings(_program: Program, statement: Statement): string {
  if (statement.kind !== 'receive') return '';
  const [argument] = statement.args;
  return argument?.kind === 'match' && argument.value.kind === 'constant' ? (argument.value.name ?? '') : '';
}

function statementText(statement: Statement): string {
  switch (statement.kind) {
    case 'send':
      return `c${statement.channel.variable}!${numberOf(statement.args[0]!)}`;
    case 'receive': {
      const [argument] = statement.args;
      return `c${statement.channel.variable}?${argument?.kind === 'match' ? numberOf(argument.value) : '_'}`;
    }
    case 'condition':
      return conditionText(statement.expression);
    default:
      return 'skip';
  }
}

type Condition = (Statement & { kind: 'condition' })['expression'];

function conditionText(expression: Condition): string {
  switch (expression.kind) {
    case 'channel-query':
      return `empty(c${expression.channel.variable})`;
    case 'binary':
      return `${conditionText(expression.left)} && ${conditionText(expression.right)}`;
    case 'run':
      return `run p${expression.proctype}()`;
    default:
      return 'true';
  }
}

const numberOf = (expression: Condition): string =>
  expression.kind === 'constant' ? String(expression.value) : '0';
