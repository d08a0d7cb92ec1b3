// Where the states and transitions of a machine stand in the source: the object literal whose keys are those of the machine is found in
// the text. A machine that is put together from parts has places for those that are written out, and none for the others.

import type { Logic, StateNode, Transition } from '../actors/behaviour.ts';
import type { ActorSystem } from '../actors/system.ts';
import type { Position, SourceFile } from '../source/source.ts';
import { allGroups, bracketTree, type Entry, entriesOf, type Group, isGroup } from './brackets.ts';

/** The system with places filled in. */
export function locate(system: ActorSystem, files: readonly SourceFile[]): ActorSystem {
  const sources = files.map((file) => ({ file, objects: objectsOf(file) }));
  const logics = system.logics.map((logic) => {
    for (const { file, objects } of sources) {
      const found = bestMatch(logic, objects);
      if (found !== null) return new Places(file, found).logic(logic);
    }
    return logic;
  });
  const actors = system.actors.map((actor) => {
    const logic = actor.logic === null ? null : logics[actor.logic]!;
    if (logic === null || logic.at === null) return actor;
    const at = new Map(allNodes(logic.root).map((node) => [node.name, node.at]));
    return {
      ...actor,
      states: actor.states.map((state) => ({ ...state, at: at.get(state.active.at(-1) ?? '') ?? logic.at })),
    };
  });
  return { ...system, logics, actors };
}

const objectsOf = (file: SourceFile): Group[] =>
  [...allGroups(bracketTree(file.text))].filter((group) => group.open === '{');

function allNodes(node: StateNode): StateNode[] {
  return [node, ...node.states.flatMap(allNodes)];
}

/** The object with the same states, and with the same id where several have them. */
function bestMatch(logic: Logic, objects: readonly Group[]): Group | null {
  const keys = logic.root.states.map(({ key }) => key);
  const id = logic.name.replace(/#\d+$/, '');
  let best: { group: Group; score: number } | null = null;
  for (const group of objects) {
    const entries = entriesOf(group);
    const states = entries.get('states')?.value;
    const own = states === undefined || states === null ? [] : [...entriesOf(states).keys()];
    if (own.join() !== keys.join()) continue;
    const named = idOf(group) === id;
    const isConfig = named || (keys.length > 0 && entries.has('initial'));
    if (!isConfig) continue;
    const score = (named ? 2 : 0) + (keys.length > 0 ? 1 : 0);
    if (best === null || score > best.score) best = { group, score };
  }
  return best?.group ?? null;
}

function idOf(group: Group): string | null {
  for (const { pieces } of group.parts) {
    const [key, , value] = pieces;
    if (key === undefined || isGroup(key) || value === undefined || isGroup(value)) continue;
    if ((key.string ?? key.text) === 'id') return value.string ?? null;
  }
  return null;
}

class Places {
  private readonly file: SourceFile;
  private readonly root: Group;

  constructor(file: SourceFile, root: Group) {
    this.file = file;
    this.root = root;
  }

  logic(logic: Logic): Logic {
    return {
      ...logic,
      at: this.position(this.root.start),
      root: this.node(logic.root, this.root, this.root.start),
      transitions: logic.transitions.map((transition) => this.transition(transition)),
    };
  }

  private position(offset: number): Position {
    return { file: this.file.path, ...this.file.position(offset) };
  }

  private node(node: StateNode, group: Group | null, start: number): StateNode {
    const states = group === null ? null : (entriesOf(group).get('states')?.value ?? null);
    const entries = states === null ? new Map<string, Entry>() : entriesOf(states);
    return {
      ...node,
      at: this.position(start),
      states: node.states.map((inner) => {
        const entry = entries.get(inner.key);
        return entry === undefined ? inner : this.node(inner, entry.value, entry.start);
      }),
    };
  }

  private transition(transition: Transition): Transition {
    const group = this.groupOf(transition.from);
    if (group === null) return transition;
    const [, descriptor = '', number = '0'] = /^[^|]*\|(.*)\|(\d+)$/s.exec(transition.id) ?? [];
    const start = this.startOf(group, descriptor, Number(number));
    return start === null ? transition : { ...transition, at: this.position(start) };
  }

  private groupOf(name: string): Group | null {
    let group: Group | null = this.root;
    for (const key of name === '' ? [] : name.split('.')) {
      const states: Group | null = group === null ? null : (entriesOf(group).get('states')?.value ?? null);
      group = states === null ? null : (entriesOf(states).get(key)?.value ?? null);
    }
    return group;
  }

  private startOf(group: Group, descriptor: string, number: number): number | null {
    const entries = entriesOf(group);
    const inside = (outer: string, key: string): Entry | undefined => {
      const value = entries.get(outer)?.value;
      return value === undefined || value === null ? undefined : entriesOf(value).get(key);
    };
    const after = /^xstate\.after\.([^.]*)\./.exec(descriptor)?.[1];
    const entry =
      descriptor === 'always'
        ? entries.get('always')
        : after !== undefined
          ? inside('after', after)
          : descriptor.startsWith('xstate.done.state.')
            ? entries.get('onDone')
            : (inside('on', descriptor) ?? this.invoked(entries, descriptor));
    if (entry === undefined) return null;
    const listed = entry.value?.open === '[' ? entry.value.parts[number]?.pieces[0]?.start : undefined;
    return listed ?? entry.start;
  }

  private invoked(entries: ReadonlyMap<string, Entry>, descriptor: string): Entry | undefined {
    const invoke = entries.get('invoke')?.value;
    if (invoke === undefined || invoke === null) return undefined;
    const key = descriptor.startsWith('xstate.done.')
      ? 'onDone'
      : descriptor.startsWith('xstate.error.')
        ? 'onError'
        : 'onSnapshot';
    const groups = [...allGroups(invoke)].filter((group) => group.open === '{');
    const id = descriptor.replace(/^xstate\.(?:done\.actor|error\.actor|snapshot)\./, '');
    const named = groups.find((group) => idOf(group) === id) ?? groups[0];
    return named === undefined ? undefined : entriesOf(named).get(key);
  }
}
