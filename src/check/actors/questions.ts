// Which questions a system of actors can be asked, and what names in formulas stand for.

import type { Proposition } from '../../actors/graph.ts';
import { OFF } from '../../actors/state.ts';
import type { ActorSystem } from '../../actors/system.ts';
import type { CheckOptions } from '../../engine/options.ts';
import { parseText } from '../../ltl/parser.ts';
import type { Syntax, Vocabulary } from '../../ltl/syntax.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import { unknownProperty } from '../requests.ts';
import type { ActorModel } from './model.ts';

const FAULTS = ['bounded', 'deadlock-free', 'stuck-free', 'livelock-free', 'handled', 'error-free'] as const;

/** Asked without being named. */
const USUAL: readonly string[] = ['bounded', 'deadlock-free', 'livelock-free', 'error-free', 'handled'];

export function actorQuestions(
  model: ActorModel,
  asked: readonly string[],
  options: CheckOptions,
): { readonly properties: readonly string[]; readonly diagnostics: readonly Diagnostic[] } {
  const formulas = formulasOf(model, options);
  const stated = Object.keys(formulas).map((name) => `ltl:${name}`);
  const known = [...FAULTS, 'reachable', ...stated];
  const diagnostics: Diagnostic[] = asked
    .filter((property) => !known.includes(property))
    .map((property) => unknownProperty(property, known));
  const properties = asked.length > 0 ? [...new Set(asked)] : [...USUAL, ...stated];
  for (const property of properties) {
    const text = formulas[property.slice('ltl:'.length)];
    if (property.startsWith('ltl:') && text !== undefined)
      diagnostics.push(...readFormula(model.system, text).diagnostics);
  }
  return { properties, diagnostics };
}

/** Those of the model, and those of the command line: `NAME=FORMULA`, or numbered. */
export function formulasOf({ formulas }: ActorModel, options: CheckOptions): Record<string, string> {
  const more = (options.formulas ?? []).map((text, index): [string, string] => {
    const named = /^([A-Za-z_]\w*)\s*=(?!>)\s*(.*)$/s.exec(text);
    return named === null ? [`formula${index + 1}`, text] : [named[1]!, named[2]!];
  });
  return { ...formulas, ...Object.fromEntries(more) };
}

export interface ReadFormula {
  readonly formula: Syntax | null;
  readonly propositions: readonly Proposition[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * A state (`loading`, `form.valid`), a tag, or those of another actor (`basket.empty`, `"shop/basket.empty"`) is a proposition; `event:PAY` is true of
 * the moment that an actor has taken or emitted an event of the type; `running`, `done` and `error` say what became of an actor.
 */
export function readFormula(system: ActorSystem, text: string): ReadFormula {
  const propositions: Proposition[] = [];
  const numbers = new Map<string, number>();
  const add = (key: string, proposition: Proposition): number => {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    propositions.push(proposition);
    numbers.set(key, propositions.length - 1);
    return propositions.length - 1;
  };
  const types = new Set(system.messages.map(({ type }) => type));
  const vocabulary: Vocabulary = {
    find: (kind, name, explicit) => {
      if (kind === 'event') {
        if (!types.has(name) || !explicit) return null;
        return add(`event ${name}`, (_, taken) => taken.has(name));
      }
      const proposition = stateNamed(system, name);
      return proposition === null ? null : add(name, proposition);
    },
    names: () => [...stateNames(system), ...[...types].map((type) => `event:${type}`)],
  };
  const { formula, diagnostics } = parseText(text, vocabulary);
  return { formula: formula === null ? null : onStates(formula), propositions, diagnostics };
}

/** Events are propositions of the state that their step leads to. */
function onStates(syntax: Syntax): Syntax {
  switch (syntax.kind) {
    case 'atom':
      return { ...syntax, atom: { ...syntax.atom, kind: 'proposition' } };
    case 'unary':
      return { ...syntax, operand: onStates(syntax.operand) };
    case 'binary':
      return { ...syntax, left: onStates(syntax.left), right: onStates(syntax.right) };
    default:
      return syntax;
  }
}

/** `actor.state` with the actor's name or its last part; without an actor: one of the roots'. */
function stateNamed(system: ActorSystem, name: string): Proposition | null {
  for (const [id, actor] of system.actors.entries()) {
    const short = actor.name.slice(actor.name.lastIndexOf('/') + 1);
    const prefixes = [...(actor.parent === null ? [''] : []), `${actor.name}.`, `${short}.`];
    for (const prefix of prefixes) {
      if (!name.startsWith(prefix)) continue;
      const rest = name.slice(prefix.length);
      if (rest === 'running' && prefix !== '') return ({ slots }) => slots[id] !== OFF;
      const holding = new Set(
        actor.states.flatMap(({ active, tags, status }, state) =>
          active.includes(rest) || tags.includes(rest) || (prefix !== '' && status === rest) ? [state] : [],
        ),
      );
      if (holding.size === 0 && !isShapeState(system, actor.logic, rest)) continue;
      return ({ slots }) => {
        const slot = slots[id]!;
        return typeof slot === 'number' ? holding.has(slot) : slot.some((one) => holding.has(one));
      };
    }
  }
  return null;
}

function isShapeState(system: ActorSystem, logic: number | null, name: string): boolean {
  if (logic === null) return false;
  const inside = (node: (typeof system.logics)[number]['root']): boolean =>
    node.name === name || node.tags.includes(name) || node.states.some(inside);
  return name !== '' && inside(system.logics[logic]!.root);
}

function stateNames(system: ActorSystem): string[] {
  return system.actors.flatMap(({ name, parent, states }) => {
    const names = [...new Set(states.flatMap(({ active, tags }) => [...active, ...tags]))];
    return names.map((state) =>
      parent === null ? state : `${name.slice(name.lastIndexOf('/') + 1)}.${state}`,
    );
  });
}
