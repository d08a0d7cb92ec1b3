// A proof by induction, told to a person: for each disjunct its atoms, why it contains no unsafe state, and where each action leads.
//
// Nothing is proved here; the induction has done that. What is said is checked all the same: "leads into P" is claimed for a case only
// when no result lies outside P; otherwise all disjuncts that may contain a result are named, and the induction says that one of them does.

import { startOf } from '../../source/source.ts';
import type { ExplainedAction, ExplainedDisjunct, FormulaExplanation } from '../../verdict/verdict.ts';
import { initialStates } from '../concrete/explore.ts';
import { satisfying, showState } from '../concrete/state.ts';
import { containsEmpty } from '../language/language.ts';
import type { Action, ChannelEvent, Disjunct, Model } from '../model.ts';
import { byReceiver, channelName, controlAfter, eventOf, isDeferred } from '../model.ts';
import type { ChannelCase } from '../safety/cases.ts';
import { executable } from '../safety/executable.ts';
import { prepare } from '../safety/formula.ts';
import { canBeginWith, Induction, takes } from '../safety/induction.ts';
import { atomsOf } from '../safety/reading.ts';
import type { Situation } from '../safety/situation.ts';
import type { Decider } from '../solver/decider.ts';
import type { Formula } from '../solver/linear.ts';
import { and, not } from '../solver/linear.ts';
import { showAtoms } from './print.ts';

/** A page about more disjuncts than this is of no use to anybody. */
const MOST_DISJUNCTS = 600;
const MOST_PARTS = 2000;
/** Longer lists of cases are cut: the rest is alike. */
const MOST_CASES = 12;

/** Null when there are too many disjuncts, or no time is left. */
export async function explainFormula(
  model: Model,
  divided: readonly Disjunct[],
  decider: Decider,
): Promise<FormulaExplanation | null> {
  const { protocol, invariant } = model;
  if (invariant.length > MOST_DISJUNCTS) return null;
  const teller = new Teller(model, decider);
  const disjuncts: ExplainedDisjunct[] = [];
  for (const disjunct of invariant) {
    if (!decider.timeLeft()) return null;
    disjuncts.push(await teller.disjunct(disjunct));
  }
  const initial = initialStates(protocol).states.map((state) => ({
    state: showState(protocol, state),
    disjuncts: satisfying(protocol.definitions, invariant, state).map((index) => invariant[index]!.name),
  }));
  const parts = divided.length > invariant.length ? partsOf(model, divided) : [];
  return { initial, disjuncts, ...(parts.length === 0 ? {} : { parts }) };
}

/** What a part says that the whole, whose name its own begins with, does not. */
function partsOf(
  { protocol, invariant }: Model,
  divided: readonly Disjunct[],
): { name: string; atoms: string[] }[] {
  const known = new Map(invariant.map((disjunct) => [disjunct.name, new Set(showAtoms(protocol, disjunct))]));
  return divided.slice(0, MOST_PARTS).map((part) => {
    const whole = known.get(part.name) ?? known.get(part.name.slice(0, part.name.lastIndexOf('.')));
    return { name: part.name, atoms: showAtoms(protocol, part).filter((atom) => !whole?.has(atom)) };
  });
}

type Case = ExplainedAction['cases'][number];

class Teller {
  private readonly model: Model;
  private readonly decider: Decider;
  private readonly induction: Induction;

  constructor(model: Model, decider: Decider) {
    this.model = model;
    this.decider = decider;
    this.induction = new Induction(prepare(model.protocol, model.invariant), decider);
  }

  async disjunct(disjunct: Disjunct): Promise<ExplainedDisjunct> {
    const { protocol } = this.model;
    const actions: ExplainedAction[] = [];
    const always: string[] = [];
    for (const [side, machine] of protocol.machines.entries()) {
      for (const action of machine.actions) {
        if (action.from !== disjunct.control[side]!) continue;
        if (action.kind === 'receive' && !canBeginWith(disjunct, action.channel, action.type)) continue;
        const name = `${machine.name}.${action.name}`;
        const explained = await this.action(disjunct, action);
        if (explained.always) always.push(name);
        actions.push({ name, text: action.text, at: startOf(action.span), cases: explained.cases });
      }
    }
    return {
      name: disjunct.name,
      at: disjunct.span === null ? null : startOf(disjunct.span),
      atoms: showAtoms(protocol, disjunct),
      safe: [this.noDeadlock(disjunct, always), ...this.receptions(disjunct)],
      actions,
    };
  }

  private noDeadlock({ languages }: Disjunct, always: readonly string[]): string {
    if (!languages.every(containsEmpty)) return 'No deadlock: a message is always under way.';
    if (always.length === 0)
      return 'No deadlock: where nothing can be received, somebody can send, though no single action always can.';
    return `No deadlock: ${always[0]} can always be sent.`;
  }

  /** By machines, as they are written. */
  private receptions(disjunct: Disjunct): string[] {
    return byReceiver(this.model.protocol).flatMap((channel) => this.receptionFrom(disjunct, channel));
  }

  private receptionFrom(disjunct: Disjunct, channel: number): string[] {
    const { protocol } = this.model;
    const { to } = protocol.channels[channel]!;
    const { name, actions } = protocol.machines[to]!;
    const heads = protocol.alphabets[channel]!.flatMap((type, index) => {
      if (!canBeginWith(disjunct, channel, index)) return [];
      const by = actions.filter(
        (one) =>
          one.kind === 'receive' &&
          one.channel === channel &&
          one.type === index &&
          one.from === disjunct.control[to],
      );
      return [`${type} by ${by.map((one) => one.name).join(' or ')}`];
    });
    if (heads.length === 0) return [];
    const where = channelName(protocol, channel);
    return isDeferred(protocol, disjunct.control, channel)
      ? [`What is in ${where} waits until ${name} is in another state.`]
      : [`Whatever is at the head of ${where}, ${name} receives it: ${heads.join(', ')}.`];
  }

  private async action(
    source: Disjunct,
    action: Action,
  ): Promise<{ readonly cases: readonly Case[]; readonly always: boolean }> {
    const { formula } = this.induction;
    const event = eventOf(action);
    const targets = formula
      .at(controlAfter(source.control, action))
      .map((index) => formula.disjuncts[index]!);
    const situations = this.induction.situations(source, event, targets, 1);
    if (situations === null)
      return { cases: [{ when: 'too many cases to tell', to: [], decided: 'by shape' }], always: false };
    const differs = source.languages.map(
      (_, channel) => new Set(situations.map(({ channels }) => channels[channel]!)).size > 1,
    );
    const cases = new Map<string, Case>();
    let always = action.kind === 'send';
    for (const { situation, members, channels } of situations) {
      if (always) always = await this.neverStuck(source, action, situation);
      const { to, decided } = await this.results(source, action, situation, targets, members);
      const when = channels
        .flatMap((one, channel) => (differs[channel] ? [this.contents(event, channel, one)] : []))
        .join(', ');
      // Cases that differ only in what does not matter here read alike.
      cases.set(`${when} ${to.join()}`, { when, to, decided });
    }
    return { cases: merged([...cases.values()]).slice(0, MOST_CASES), always };
  }

  private contents(event: ChannelEvent | null, channel: number, { word }: ChannelCase): string {
    const { protocol } = this.model;
    const after = event?.channel === channel && event.kind === 'send' ? [...word, event.type] : word;
    const shown = after.map((type) => protocol.alphabets[channel]![type]).join(' ');
    return `${channelName(protocol, channel)} then ${shown === '' ? 'empty' : `like ${shown}`}`;
  }

  private async results(
    source: Disjunct,
    action: Action,
    situation: Situation,
    targets: readonly Disjunct[],
    members: readonly boolean[],
  ): Promise<Pick<Case, 'to' | 'decided'>> {
    const registers = this.model.protocol.machines[action.side]!.registers.length;
    const { context } = situation;
    const before = { ...this.decider.counts };
    const taken = takes(source, action, situation, registers);
    // All formulas first: reading the state after the action may add variables and facts.
    const after = situation.after(action);
    const claims = targets.map((target, j) => (members[j] ? atomsOf(target, after) : null));
    const problem = this.decider.problem([...context.facts, taken], context.variables);
    const excluded = async (formula: Formula): Promise<boolean> =>
      (await problem.solve(formula)).kind === 'unsatisfiable';
    const possible: string[] = [];
    let to: string[] | null = (await excluded(and([]))) ? [] : null;
    for (const [j, claim] of claims.entries()) {
      if (to !== null) break;
      if (claim === null) continue;
      if (await excluded(not(claim))) to = [targets[j]!.name];
      else if (!(await excluded(claim))) possible.push(targets[j]!.name);
    }
    const { counts } = this.decider;
    const decided =
      counts.smt > before.smt
        ? 'by SMT'
        : counts.simplex > before.simplex
          ? 'by sums'
          : counts.bellmanFord > before.bellmanFord
            ? 'by differences'
            : 'by shape';
    return { to: to ?? possible, decided };
  }

  private async neverStuck(
    source: Disjunct,
    action: Action,
    { before, context }: Situation,
  ): Promise<boolean> {
    const registers = this.model.protocol.machines[action.side]!.registers;
    const own = registers.map((_, index) => before.register(action.side, index));
    const stuck = and([atomsOf(source, before), not(executable(action, own))]);
    return (
      (await this.decider.problem(context.facts, context.variables).solve(stuck)).kind === 'unsatisfiable'
    );
  }
}

/** One row for all cases with the same results; impossible cases only where there is nothing else. */
function merged(cases: readonly Case[]): Case[] {
  const possible = cases.filter(({ to }) => to.length > 0);
  if (possible.length === 0) return cases.slice(0, 1).map((one) => ({ ...one, when: '' }));
  const groups = new Map<string, Case[]>();
  for (const one of possible) groups.set(one.to.join(), [...(groups.get(one.to.join()) ?? []), one]);
  if (groups.size === 1) return [{ to: possible[0]!.to, when: '', decided: hardest(possible) }];
  return [...groups.values()].map((group) => ({
    to: group[0]!.to,
    when: `${group
      .slice(0, 3)
      .map(({ when }) => when)
      .join(' or ')}${group.length > 3 ? ' or …' : ''}`,
    decided: hardest(group),
  }));
}

const hardest = (cases: readonly Case[]): Case['decided'] =>
  (['by SMT', 'by sums', 'by differences'] as const).find((one) =>
    cases.some(({ decided }) => decided === one),
  ) ?? 'by shape';
