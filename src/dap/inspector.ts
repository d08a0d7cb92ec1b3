// What an editor shows at a stop: threads, frames, scopes, variables, names to complete.

import type { Position } from '../source/source.ts';
import { type Arguments as Args, DapError } from './protocol.ts';
import { type SessionView, sourceOf } from './session-view.ts';
import { VariableStore } from './variables.ts';

export class Inspector {
  readonly store = new VariableStore();
  private readonly session: SessionView;

  constructor(session: SessionView) {
    this.session = session;
  }

  threads(): unknown {
    const { moments, moment, trace } = this.session.needWalk();
    const threads = moments
      .living(moment)
      .map((actor) => ({ id: actor + 1, name: trace.run.actors[actor]! }));
    return { threads: threads.length > 0 ? threads : [{ id: 1, name: 'no process is left' }] };
  }

  stackTrace(actor: number): unknown {
    const { moments, moment, trace } = this.session.needWalk();
    const name = trace.run.actors[actor];
    if (name === undefined) throw new DapError(`there is no thread ${actor + 1}`);
    const { at, text } = moments.placeOf(actor, moment);
    const frame = { id: actor + 1, name: text, ...this.place(at) };
    return { stackFrames: [frame], totalFrames: 1 };
  }

  private place(at: Position | null): {
    line: number;
    column: number;
    source?: unknown;
    presentationHint?: string;
  } {
    if (at === null) return { line: 0, column: 0, presentationHint: 'subtle' };
    const { file, line, column } = at;
    return {
      source: sourceOf(file),
      line: line - 1 + this.session.firstLine,
      column: column - 1 + this.session.firstColumn,
    };
  }

  scopes(actor: number): unknown {
    const { moments, moment, trace } = this.session.needWalk();
    const { run } = trace;
    const { store } = this;
    const name = run.actors[actor] ?? '';
    const state = moments.state(moment);
    const { values } = state;
    const owners = run.actors.map((one) => `${one}.`);
    const isGlobal = (key: string): boolean =>
      !owners.some((owner) => key.startsWith(owner)) && !run.actors.includes(key);
    const locals = () => [
      ...(values.has(name) ? [{ name: 'state', value: values.get(name)!, variablesReference: 0 }] : []),
      ...store.below(values, `${name}.`, () => true),
    ];
    const scope = (title: string, children: () => ReturnType<typeof locals>, hint?: string) => {
      const all = children();
      return all.length === 0
        ? []
        : [
            {
              name: title,
              variablesReference: store.reference(() => all),
              namedVariables: all.length,
              expensive: false,
              ...(hint === undefined ? {} : { presentationHint: hint }),
            },
          ];
    };
    return {
      scopes: [
        ...scope('Locals', locals, 'locals'),
        ...scope('Queues', () => store.queues(run, state)),
        ...scope('Globals', () => store.below(values, '', isGlobal)),
        ...scope('Changed by the last step', () => this.changed()),
        ...scope('Choices', () => this.choiceVariables()),
      ],
    };
  }

  private changed(): { name: string; value: string; variablesReference: number }[] {
    const { trace, moment } = this.session.needWalk();
    const step = trace.run.steps[moment - 1];
    return (step?.changes ?? []).map(({ name, value }) => ({ name, value, variablesReference: 0 }));
  }

  private choiceVariables() {
    const { trace, moment } = this.session.needWalk();
    const choices = trace.simulation?.choices(moment) ?? [];
    return choices.map(({ label, proposed }, i) => ({
      name: String(i + 1),
      value: proposed ? `${label}  (next)` : label,
      variablesReference: 0,
    }));
  }

  variables({ variablesReference, start, count }: Args): unknown {
    const all = this.store.children(Number(variablesReference));
    const from = Number(start ?? 0);
    const size = Number(count ?? 0);
    return { variables: size > 0 ? all.slice(from, from + size) : all.slice(from) };
  }

  completions({ text, column, frameId }: Args): unknown {
    const { trace, moments, moment } = this.session.needWalk();
    const before = String(text ?? '').slice(0, Number(column ?? 1) - this.session.firstColumn);
    const [word = ''] = /[\w.[\]]*$/.exec(before) ?? [];
    const own = frameId === undefined ? '' : `${trace.run.actors[Number(frameId) - 1] ?? ''}.`;
    const names = [
      ...[...moments.state(moment).values.keys()].map((name) =>
        own !== '' && name.startsWith(own) ? name.slice(own.length) : name,
      ),
      ...trace.run.queues.map(({ name }) => name),
    ];
    const fitting = [...new Set(names)].filter((name) => name.startsWith(word)).slice(0, 200);
    return {
      targets: fitting.map((label) => ({ label, start: before.length - word.length, length: word.length })),
    };
  }
}
