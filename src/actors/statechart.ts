// Statecharts as text for Mermaid: nested states, parallel regions, final states.

import type { Logic, StateNode } from './behaviour.ts';

export function mermaidChart(logic: Logic): string {
  const ids = new Map<string, string>();
  const id = (name: string): string => {
    const known = ids.get(name) ?? `s${ids.size}`;
    ids.set(name, known);
    return known;
  };
  const quote = (text: string): string =>
    text.replace(/[:;{}"#]/g, (sign) => `#${sign.charCodeAt(0)};`).replace(/\n/g, ' ');
  const lines: string[] = [`%% ${logic.name}`, 'stateDiagram-v2'];
  const draw = (node: StateNode, indent: string): void => {
    const inner = `${indent}  `;
    for (const [index, child] of node.states.entries()) {
      if (node.kind === 'parallel' && index > 0) lines.push(`${indent}--`);
      if (node.kind === 'compound' && child.key === node.initial)
        lines.push(`${indent}[*] --> ${id(child.name)}`);
      const label = [child.key, ...child.lines].map(quote).join('<br/>');
      if (child.kind === 'history') lines.push(`${indent}state "H" as ${id(child.name)}`);
      else lines.push(`${indent}state "${label}" as ${id(child.name)}`);
      if (child.kind === 'final') lines.push(`${indent}${id(child.name)} --> [*]`);
      if (child.states.length === 0) continue;
      lines.push(`${indent}state ${id(child.name)} {`);
      draw(child, inner);
      lines.push(`${indent}}`);
    }
  };
  draw(logic.root, '  ');
  for (const { from, to, event, guard, actions } of logic.transitions) {
    if (from === '') {
      // Mermaid has no arrow from the whole chart: it leaves every outermost state.
      for (const child of logic.root.states)
        for (const target of to ?? [child.name]) lines.push(arrow(child.name, target, event, guard, actions));
    } else for (const target of to ?? [from]) lines.push(arrow(from, target, event, guard, actions));
  }
  return `${lines.join('\n')}\n`;

  function arrow(
    from: string,
    to: string,
    event: string,
    guard: string | null,
    actions: readonly string[],
  ): string {
    const label = `${event}${guard === null ? '' : ` [${guard}]`}${actions.length === 0 ? '' : ` / ${actions.join(', ')}`}`;
    return `  ${id(from)} --> ${id(to === '' ? from : to)} : ${quote(label)}`;
  }
}
