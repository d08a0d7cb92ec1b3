// The control part of statecharts as SCXML: one document for the first logic, the others as invoked documents inside it are left to the user.

import type { Logic, StateNode } from './behaviour.ts';
import type { ActorSystem } from './system.ts';

export const toScxml = (system: ActorSystem): string => system.logics.map(document).join('\n');

function document(logic: Logic): string {
  const { root } = logic;
  const initial = root.kind === 'compound' && root.initial !== null ? ` initial="${idOf(root.initial)}"` : '';
  const body = [
    ...transitionsOf(logic, '', '  '),
    ...root.states.flatMap((state) => element(logic, state, '  ')),
  ];
  const inner =
    root.kind === 'parallel'
      ? [`  <parallel id="${idOf(logic.name)}">`, ...body.map((line) => `  ${line}`), '  </parallel>']
      : body;
  return [
    `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="${escaped(logic.name)}" datamodel="null"${initial}>`,
    ...inner,
    '</scxml>',
    '',
  ].join('\n');
}

function element(logic: Logic, node: StateNode, indent: string): string[] {
  const name = idOf(node.name);
  if (node.kind === 'history')
    return [`${indent}<history id="${name}"><transition target="${name}"/></history>`];
  const tag = node.kind === 'parallel' ? 'parallel' : node.kind === 'final' ? 'final' : 'state';
  const initial =
    node.kind === 'compound' && node.initial !== null
      ? ` initial="${idOf(`${node.name}.${node.initial}`)}"`
      : '';
  const inner = [
    ...node.lines.map((line) => `${indent}  <!-- ${escaped(line).replaceAll('--', '- -')} -->`),
    ...transitionsOf(logic, node.name, `${indent}  `),
    ...node.states.flatMap((state) => element(logic, state, `${indent}  `)),
  ];
  if (inner.length === 0) return [`${indent}<${tag} id="${name}"${initial}/>`];
  return [`${indent}<${tag} id="${name}"${initial}>`, ...inner, `${indent}</${tag}>`];
}

function transitionsOf(logic: Logic, from: string, indent: string): string[] {
  return logic.transitions
    .filter((transition) => transition.from === from)
    .map(({ event, to, guard, actions }) => {
      const parts = [
        event === 'always' ? '' : ` event="${escaped(event.replace(/\s+/g, '.'))}"`,
        guard === null ? '' : ` cond="In('${escaped(guard)}')"`,
        to === null ? '' : ` target="${to.map(idOf).join(' ')}"`,
      ].join('');
      const body = actions.map((action) => `<!-- ${escaped(action).replaceAll('--', '- -')} -->`).join('');
      return body === ''
        ? `${indent}<transition${parts}/>`
        : `${indent}<transition${parts}>${body}</transition>`;
    });
}

/** XML ids have no dots in front, no blanks. */
const idOf = (name: string): string => name.replace(/[^\w.-]/g, '_');
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
