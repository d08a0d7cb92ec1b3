// Requests about places: breakpoints of every kind, and where a jump can go.

import { stepLine } from '../report/step-text.ts';
import type { Breakpoints } from './breakpoints.ts';
import type { Arguments as Args } from './protocol.ts';
import { fileIn, type SessionView, textIn } from './session-view.ts';
import type { VariableStore } from './variables.ts';

export class StoppingPlaces {
  private readonly session: SessionView;
  private readonly breakpoints: Breakpoints;
  private readonly store: VariableStore;

  constructor(session: SessionView, breakpoints: Breakpoints, store: VariableStore) {
    this.session = session;
    this.breakpoints = breakpoints;
    this.store = store;
  }

  setBreakpoints({ source, breakpoints }: Args): unknown {
    const file = fileIn(source);
    const given = (Array.isArray(breakpoints) ? breakpoints : []) as Args[];
    const known = this.session.lines?.get(file);
    const placed = given.map(({ line, condition, hitCondition, logMessage }) => {
      const wanted = Number(line) - this.session.firstLine + 1;
      const there = known === undefined ? wanted : known.find((one) => one >= wanted);
      const isModel = this.session.lines === null || known !== undefined;
      return {
        id: this.breakpoints.freshId(),
        file,
        line: there ?? wanted,
        isThere: there !== undefined && isModel,
        condition: textIn(condition),
        hits: Number.parseInt(/\d+/.exec(String(hitCondition ?? ''))?.[0] ?? '1', 10),
        log: textIn(logMessage),
      };
    });
    this.breakpoints.setLines(
      file,
      placed.filter(({ isThere }) => isThere),
    );
    return {
      breakpoints: placed.map(({ id, line, isThere }) => ({
        id,
        verified: isThere,
        line: line - 1 + this.session.firstLine,
        source,
        ...(isThere ? {} : { message: 'no statement of the model stands here' }),
      })),
    };
  }

  setFunctionBreakpoints({ breakpoints }: Args): unknown {
    const given = (Array.isArray(breakpoints) ? breakpoints : []) as Args[];
    const named = given.map(({ name, condition }) => ({
      id: this.breakpoints.freshId(),
      text: String(name ?? ''),
      condition: textIn(condition),
    }));
    this.breakpoints.setNamed(named);
    return { breakpoints: named.map(({ id }) => ({ id, verified: true })) };
  }

  dataBreakpointInfo({ variablesReference, name }: Args): unknown {
    const listed = this.store
      .children(Number(variablesReference ?? 0))
      .find((variable) => variable.name === name)?.evaluateName;
    const full = listed ?? String(name ?? '');
    const { trace, moments, moment } = this.session.needWalk();
    const isKnown =
      trace.run.queues.some((queue) => queue.name === full) || moments.state(moment).values.has(full);
    return isKnown
      ? { dataId: full, description: `${full} changes`, accessTypes: ['write'] }
      : { dataId: null, description: `${full} is no variable or queue` };
  }

  setDataBreakpoints({ breakpoints }: Args): unknown {
    const given = (Array.isArray(breakpoints) ? breakpoints : []) as Args[];
    const data = given.map(({ dataId, condition }) => ({
      id: this.breakpoints.freshId(),
      name: String(dataId ?? ''),
      condition: textIn(condition),
    }));
    this.breakpoints.setData(data);
    return { breakpoints: data.map(({ id }) => ({ id, verified: true })) };
  }

  breakpointLocations({ source, line, endLine }: Args): unknown {
    const from = Number(line) - this.session.firstLine + 1;
    const to = endLine === undefined ? from : Number(endLine) - this.session.firstLine + 1;
    const known = this.session.lines?.get(fileIn(source)) ?? [];
    const inside = known.filter((one) => one >= from && one <= to);
    return { breakpoints: inside.map((one) => ({ line: one - 1 + this.session.firstLine })) };
  }

  /** Every step that is known to execute something on the line, the next ones first. */
  gotoTargets({ source, line }: Args): unknown {
    const { trace, moment } = this.session.needWalk();
    const file = fileIn(source);
    const wanted = Number(line) - this.session.firstLine + 1;
    const found = [...trace.run.steps.keys()].filter((i) =>
      [trace.run.steps[i]!.at, trace.run.steps[i]!.partnerAt].some(
        (at) => at?.file === file && at.line === wanted,
      ),
    );
    const ordered = [...found.filter((i) => i >= moment), ...found.filter((i) => i < moment)];
    return {
      targets: ordered.slice(0, 50).map((i) => ({
        id: i + 1,
        label: `before step ${stepLine(trace.run, i, 80)}`,
        line,
      })),
    };
  }
}
