// What turns up while charts run: errors that nobody handles, macrosteps without end, limits, and data from outside that nothing is known about. Each is said once.

import type { Caveat } from '../actors/behaviour.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { type Span, startOf } from '../source/source.ts';
import type { Chart, OutsideEvent } from './chart.ts';
import { CODES, Problems } from './codes.ts';
import type { EndlessMacrostep } from './endless.ts';
import { ANY_OTHER, readsDataOf, readsName } from './environment.ts';
import { FAULT_CODES, FAULT_HELP } from './fault-words.ts';
import type { Fault } from './sandbox.ts';
import type { Input, Outcome, Session } from './session.ts';

export class Troubles {
  readonly problems = new Problems();
  private readonly found = new Map<string, Caveat>();
  private readonly warned = new Set<string>();

  caveats(): readonly Caveat[] {
    return [...this.found.values()];
  }

  /** The outside may send these events: what that leaves unseen. */
  openTo(chart: Chart, events: readonly OutsideEvent[]): void {
    for (const event of events) {
      const span = readsDataOf(chart, event.name);
      if (span !== null)
        this.caveat(
          'unseen',
          `the data that '${event.name}' carries from outside is read, and nothing says what it can be: say so in <spillway:environment>`,
          span,
        );
    }
    const name = events.some((event) => event.name === ANY_OTHER) ? readsName(chart) : null;
    if (name !== null)
      this.caveat(
        'unseen',
        "the name of an event is read, and '*' takes any name: say which events come from outside in <spillway:environment>",
        name,
      );
  }

  endless(chart: Chart, session: Session, { isProved, steps }: EndlessMacrostep): string {
    const taken = chart.transitions[steps.at(-1)?.transitions[0] ?? -1];
    const where = session.configuration.map((number) => chart.states[number]!.name).at(-1) ?? 'the start';
    const message = isProved
      ? 'endless loop: this transition is taken again and again within one macrostep, and never lets another event in'
      : 'this transition is taken more than ten thousand times within one macrostep';
    const span = taken?.span ?? chart.span;
    this.warn(
      CODES.endlessMacrostep,
      span,
      message,
      'give the transition a condition that becomes false, or an event',
    );
    if (!isProved) this.caveat('unseen', `${message} (from ${where})`, span);
    // The search knows an endless loop by these words.
    return isProved ? `an endless macrostep from ${where}` : 'a macrostep that does not come to its end';
  }

  fault(chart: Chart, session: Session, input: Input, { kind, message }: Fault): string {
    const span = this.placeOf(chart, session, input);
    this.warn(FAULT_CODES[kind], span, `${message} (${FAULT_HELP[kind]})`);
    this.caveat('unseen', message, span);
    return message;
  }

  /** Where the macrostep began: the first transition that listens to the event, or the chart. */
  private placeOf(chart: Chart, session: Session, input: Input): Span {
    if (input.kind !== 'event') return chart.scripts[0]?.span ?? chart.span;
    const states = [...session.configuration].reverse().map((number) => chart.states[number]!);
    for (const { transitions } of states)
      for (const number of transitions) {
        const { events, span } = chart.transitions[number]!;
        if (
          events.some(
            (one) => one === '*' || input.event.name === one || input.event.name.startsWith(`${one}.`),
          )
        )
          return span;
      }
    return chart.span;
  }

  /** An error that the chart is told about and does not listen to is a mistake more often than not. */
  watchDropped({ dropped }: Outcome): void {
    for (const { event, span } of dropped) {
      if (!event.name.startsWith('error.')) continue;
      const tree = JSON.parse(event.data) as unknown[];
      const reason = String(tree[tree.indexOf('reason') + 1]);
      this.warn(CODES.unhandledError, span, `this raises ${event.name}, which nobody handles: ${reason}`);
    }
  }

  caveat(kind: Caveat['kind'], message: string, span: Span): void {
    const at = startOf(span);
    this.found.set(`${message} ${at.file}:${at.line}:${at.column}`, { kind, message, at });
  }

  private warn(code: Diagnostic['code'], span: Span, message: string, help?: string): void {
    const key = `${code} ${span.file.path} ${span.start}`;
    if (this.warned.has(key)) return;
    this.warned.add(key);
    this.problems.warning(code, span, message, help);
  }
}
