// Where stubborn sets apply at all, and the facts they rest on.

import type { LValue } from '../../process/expression.ts';
import type { Location, Proctype, Program } from '../../process/program.ts';
import { walkProgram } from '../../process/walk.ts';
import type { Model } from '../compile.ts';
import type { Facts } from './constants.ts';
import { writtenParts } from './parts.ts';
import { type PointsTo, pointsTo } from './points-to.ts';
import { Resources } from './resources.ts';
import { StubbornSets } from './stubborn.ts';
import { visibleModes, type Watched, watchedLabels } from './visible.ts';

/** Of processes and of channels: models beyond are searched in full. */
const MOST = 255;
/** Tables hold a number per location and resource: beyond this they would be larger than the state space that they save. */
const MAX_RESOURCES = 20_000;

/**
 * Null where every step may matter to every other: priorities, `enabled`, `pc_value` and `_last` look at the whole system; a message that is lost
 * when there is no room makes sends and receives dependent. `watched`: for a property of runs, that of the model's claim or of labels.
 */
export function stubbornSetsOf(model: Model, watched: Watched | null = null): StubbornSets | null {
  const { program, features, options, claim, anyOrderOfDeath, layout } = model;
  if (features.priority || features.enabled || features.last || looksEverywhere(program)) return null;
  if (options.loseMessages || (claim !== null && watched === null) || anyOrderOfDeath) return null;
  const isWatched = watched === null ? () => false : watchedLabels(model, watched);
  const facts = factsOf(model, isWatched);
  const { channels, count } = facts.resources;
  if (layout.globalChannels.length > MOST || channels > MOST || count > MAX_RESOURCES) return null;
  if (mayWarn(program, facts.pointsTo)) return null;
  if (watched === null) return new StubbornSets(facts, MOST, null);
  const visible = visibleModes(facts, isWatched);
  return visible === null ? null : new StubbornSets(facts, MOST, visible);
}

/** What the footprints of steps rest on; of use without stubborn sets, too. */
export function factsOf(model: Model, isWatched: (location: Location) => boolean = () => false): Facts {
  const { program } = model;
  const resources = new Resources(model, MOST, isWatched);
  const channels = pointsTo(program);
  const looks = program.proctypes.some((proctype) => looksForReceivers(proctype, channels));
  return {
    model,
    machine: model.machine,
    resources,
    pointsTo: channels,
    written: writtenParts(program, model.claim),
    looksForReceivers: looks,
  };
}

function looksEverywhere(program: Program): boolean {
  let found = false;
  walkProgram(program, null, {
    expression: ({ kind }) => {
      if (kind === 'pc_value' || kind === 'np_') found = true;
    },
  });
  return found;
}

/**
 * Errors that are reported as soon as a statement is looked at, executable or not (another number of fields than the channel has, a look into a
 * rendezvous channel): whoever leaves steps out looks less often.
 */
function mayWarn(program: Program, channels: PointsTo): boolean {
  let found = false;
  const use = (channel: LValue, fields: number, looks: boolean): void => {
    for (const site of channels.sitesOf(channel.variable) ?? program.channelSites)
      if (site.fields.length !== fields || (looks && site.capacity === 0)) found = true;
  };
  walkProgram(program, null, {
    statement: (statement) => {
      if (statement.kind === 'send') use(statement.channel, statement.args.length, false);
      if (statement.kind === 'receive') use(statement.channel, statement.args.length, statement.copy);
    },
    expression: (expression) => {
      if (expression.kind === 'poll') use(expression.channel, expression.args.length, true);
    },
  });
  return found;
}

/** Is there a send that is tried where it may fail without being waited for: inside atomic, beside `else`, in an `unless`? */
function looksForReceivers({ edges, locations }: Proctype, channels: PointsTo): boolean {
  const handshakes = (id: number): boolean => {
    const { statement } = edges[id]!;
    if (statement.kind === 'dstep') return true;
    if (statement.kind !== 'send') return false;
    const sites = channels.sitesOf(statement.channel.variable);
    return sites === null || [...sites].some((site) => site.capacity === 0);
  };
  const inside = new Set(edges.filter((edge) => edge.keepsControl).map((edge) => edge.to));
  return locations.some(
    ({ id, edges: out }) =>
      out.some(handshakes) &&
      (inside.has(id) ||
        out.some((edge) => edges[edge]!.statement.kind === 'else' || edges[edge]!.blockedBy.length > 0)),
  );
}
