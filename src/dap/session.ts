// One debug session: requests of the editor in, the state of the walk out. Processes are threads, each with one frame at the statement it
// would execute next; going back costs nothing, because every moment of the run is known.

import { graphs } from '../api/api.ts';
import { blockageLines } from '../report/blocked-text.ts';
import { stepLine } from '../report/step-text.ts';
import { Breakpoints } from './breakpoints.ts';
import { CAPABILITIES } from './capabilities.ts';
import { command } from './console.ts';
import { ExpressionError, evaluate } from './expression.ts';
import { Inspector } from './inspector.ts';
import { type DapHost, type Launch, readLaunch, startTrace } from './launch.ts';
import { type Arguments as Args, DapError } from './protocol.ts';
import { type SessionView, sourceOf } from './session-view.ts';
import { StoppingPlaces } from './stopping-places.ts';
import { type Stop, Walk } from './walk.ts';

export interface Editor {
  event(event: string, body?: Args): void;
  /** The session is over. */
  finish(): void;
}

type After = (then: () => void) => void;
type Handler = (args: Args, after: After) => unknown;

export class DebugSession implements SessionView {
  private readonly editor: Editor;
  private readonly host: DapHost;
  private readonly breakpoints = new Breakpoints();
  private readonly inspector = new Inspector(this);
  private readonly places = new StoppingPlaces(this, this.breakpoints, this.inspector.store);
  private readonly abort = new AbortController();
  private walk: Walk | null = null;
  private launch: Launch | null = null;
  lines: ReadonlyMap<string, readonly number[]> | null = null;
  private lastStop: Stop = { reason: 'entry' };
  private isMoving = false;
  private readonly handlers: Readonly<Record<string, Handler>>;
  firstLine = 1;
  firstColumn = 1;

  constructor(editor: Editor, host: DapHost) {
    this.editor = editor;
    this.host = host;
    this.handlers = this.table();
  }

  request(name: string, args: Args, after: After): unknown {
    const handler = Object.hasOwn(this.handlers, name) ? this.handlers[name] : undefined;
    if (handler === undefined) throw new DapError(`there is no request '${name}' here`);
    return handler(args, after);
  }

  /** The input has ended. */
  dispose(): void {
    this.abort.abort();
    this.walk?.pause();
  }

  private table(): Record<string, Handler> {
    const moving =
      (move: (args: Args) => Stop | Promise<Stop>): Handler =>
      (args, after) => {
        this.needWalk();
        if (this.isMoving) throw new DapError('the run is moving: pause it first');
        this.isMoving = true;
        after(() => void this.move(() => move(args)));
        return { allThreadsContinued: true };
      };
    const actorIn = ({ threadId }: Args): number => Number(threadId) - 1;
    const limit = (): number => this.launch!.steps;
    return {
      initialize: (args) => this.initialize(args),
      launch: (args, after) => this.start(args, after),
      attach: () => {
        throw new DapError('there is nothing to attach to: use a launch configuration', true);
      },
      configurationDone: (_, after) => {
        this.needWalk();
        after(() => this.enter());
      },
      disconnect: (_, after) => this.end(after),
      terminate: (_, after) => this.end(after),
      restart: (args, after) => this.restart(args, after),
      threads: () => this.inspector.threads(),
      stackTrace: (args) => this.inspector.stackTrace(actorIn(args)),
      scopes: ({ frameId }) => this.inspector.scopes(Number(frameId) - 1),
      variables: (args) => this.inspector.variables(args),
      evaluate: (args, after) => this.evaluate(args, after),
      continue: moving(() => this.needWalk().forwards(limit())),
      reverseContinue: moving(() => this.needWalk().backwards()),
      next: moving((args) => this.needWalk().stepOf(actorIn(args), limit())),
      stepIn: moving((args) => this.stepIn(args)),
      stepOut: moving(() => this.needWalk().stepOut(limit())),
      stepBack: moving(() => this.needWalk().back()),
      goto: moving(({ targetId }) => this.needWalk().goTo(Number(targetId) - 1)),
      pause: () => void this.needWalk().pause(),
      stepInTargets: () => this.stepInTargets(),
      gotoTargets: (args) => this.places.gotoTargets(args),
      setBreakpoints: (args) => this.places.setBreakpoints(args),
      setFunctionBreakpoints: (args) => this.places.setFunctionBreakpoints(args),
      dataBreakpointInfo: (args) => this.places.dataBreakpointInfo(args),
      setDataBreakpoints: (args) => this.places.setDataBreakpoints(args),
      setExceptionBreakpoints: () => ({ breakpoints: [] }),
      breakpointLocations: (args) => this.places.breakpointLocations(args),
      exceptionInfo: () => this.exceptionInfo(),
      loadedSources: () => ({ sources: [...(this.lines?.keys() ?? [])].map(sourceOf) }),
      completions: (args) => this.inspector.completions(args),
      cancel: () => undefined,
    };
  }

  private initialize(args: Args): unknown {
    this.firstLine = args['linesStartAt1'] === false ? 0 : 1;
    this.firstColumn = args['columnsStartAt1'] === false ? 0 : 1;
    return CAPABILITIES;
  }

  private async start(args: Args, after: After): Promise<void> {
    this.launch = readLaunch(args, this.host);
    await this.load();
    after(() => this.editor.event('initialized'));
  }

  private async load(): Promise<void> {
    const launch = this.launch!;
    const { trace, notes } = await startTrace(launch, this.host, this.abort.signal);
    this.lines = await linesOf(launch);
    for (const note of notes) this.say(`${note}\n`, 'important');
    const { breakpoints } = this;
    breakpoints.forgetCounts();
    const walk: Walk = new Walk(trace, breakpoints, {
      passed: (moment) => this.prints(walk, moment),
      log: (text) => this.say(`${text}\n`),
    });
    this.walk = walk;
    this.isMoving = false;
  }

  private async restart({ arguments: args }: Args, after: After): Promise<void> {
    if (typeof args === 'object' && args !== null) this.launch = readLaunch(args as Args, this.host);
    this.needWalk().pause();
    await this.load();
    after(() => this.enter());
  }

  private enter(): void {
    const { startAt, stopOnEntry } = this.launch!;
    if (startAt === 'end') {
      const walk = this.needWalk();
      walk.goTo(Number.MAX_SAFE_INTEGER);
      this.stopped(walk.endStop());
    } else if (stopOnEntry) this.stopped({ reason: 'entry', description: 'before the first step' });
    else {
      this.isMoving = true;
      void this.move(() => this.needWalk().forwards(this.launch!.steps));
    }
  }

  private end(after: After): void {
    this.dispose();
    after(() => {
      this.editor.event('terminated');
      this.editor.finish();
    });
  }

  private async move(move: () => Stop | Promise<Stop>): Promise<void> {
    const { walk } = this;
    const isCurrent = (): boolean => this.walk === walk;
    try {
      const stop = await move();
      if (isCurrent()) this.stopped(stop);
    } catch (error) {
      this.say(`${error instanceof Error ? error.message : error}\n`, 'stderr');
      if (isCurrent()) this.stopped({ reason: 'pause' });
    }
  }

  private stopped(stop: Stop): void {
    const walk = this.needWalk();
    this.isMoving = false;
    this.inspector.store.clear();
    const isNews = stop.reason === 'exception' && this.lastStop.reason !== 'exception';
    this.lastStop = stop;
    if (isNews) this.say(`${this.endLines().join('\n')}\n`, 'important');
    const actor = stop.actor ?? walk.moments.mover(walk.moment);
    this.editor.event('stopped', {
      reason: stop.reason,
      description: stop.description ?? this.momentText(),
      ...(stop.reason === 'exception' ? { text: stop.description } : {}),
      threadId: actor + 1,
      allThreadsStopped: true,
      ...(stop.breakpoints === undefined ? {} : { hitBreakpointIds: stop.breakpoints }),
    });
  }

  private momentText(): string {
    const { moment, trace } = this.needWalk();
    const total = trace.simulation === null ? ` of ${trace.run.steps.length}` : '';
    return moment === 0 ? 'before the first step' : `after step ${moment}${total}`;
  }

  private endLines(): string[] {
    const { trace, moment } = this.needWalk();
    const { run } = trace;
    const loop =
      run.loopStart === null ? [] : [`the steps ${run.loopStart + 1} to ${run.steps.length} go on for ever`];
    const growth = (run.growth ?? []).map(
      ({ queue, perRound }) => `each round leaves ${perRound} more in ${queue}`,
    );
    const last = moment === 0 ? [] : [`after ${stepLine(run, moment - 1, 100)}`];
    return [
      ...last,
      run.title,
      ...loop,
      ...growth,
      ...(run.blocked === undefined ? [] : blockageLines(run.blocked)),
    ];
  }

  private prints({ trace }: Walk, moment: number): void {
    for (const event of trace.run.steps[moment - 1]!.events)
      if (event.kind === 'print') this.say(`${event.text}\n`, 'stdout');
  }

  private say(output: string, category = 'console'): void {
    this.editor.event('output', { category, output });
  }

  needWalk(): Walk {
    if (this.walk === null) throw new DapError('nothing is launched yet');
    return this.walk;
  }

  private evaluate({ expression, frameId, context }: Args, after: After): unknown {
    const walk = this.needWalk();
    const text = String(expression ?? '');
    if (context === 'repl') {
      if (this.isMoving) throw new DapError('the run is moving: pause it first');
      const said = command(text, walk);
      if (said?.stop !== undefined) after(() => this.stopped(said.stop!));
      if (said !== null) return { result: said.text, variablesReference: 0 };
    }
    const process = frameId === undefined ? null : (walk.trace.run.actors[Number(frameId) - 1] ?? null);
    try {
      const around = walk.surroundings(process);
      const { value, ...rest } = this.inspector.store.result(
        evaluate(text, around),
        walk.trace.run,
        around.state,
      );
      return { result: value, ...rest };
    } catch (error) {
      if (error instanceof ExpressionError) throw new DapError(error.message);
      throw error;
    }
  }

  private async stepIn({ targetId, threadId }: Args): Promise<Stop> {
    const walk = this.needWalk();
    const { simulation } = walk.trace;
    if (targetId !== undefined && simulation !== null) {
      if (!simulation.choose(walk.moment, Number(targetId) - 1))
        throw new DapError('this choice is not there any more');
      walk.moments.forgetAfter(walk.moment);
      return walk.stepOnce();
    }
    const name = walk.trace.run.actors[Number(threadId) - 1];
    if (simulation !== null && name !== undefined) this.prefer(name);
    return walk.stepOnce();
  }

  /** In a simulation a step of the chosen thread is taken, where it can move. */
  private prefer(name: string): void {
    const walk = this.needWalk();
    const simulation = walk.trace.simulation!;
    if (walk.moments.mover(walk.moment) === walk.trace.run.actors.indexOf(name)) return;
    const choices = simulation.choices(walk.moment);
    const own = choices.findIndex(
      ({ label }) => label.startsWith(`${name}:`) || label.startsWith(`${name} `),
    );
    if (own < 0) return;
    simulation.choose(walk.moment, own);
    walk.moments.forgetAfter(walk.moment);
  }

  private stepInTargets(): unknown {
    const { trace, moment } = this.needWalk();
    const choices = trace.simulation?.choices(moment) ?? [];
    return { targets: choices.map(({ label }, i) => ({ id: i + 1, label })) };
  }

  private exceptionInfo(): unknown {
    const { trace } = this.needWalk();
    return {
      exceptionId: trace.fault ?? trace.run.title,
      description: this.endLines().join('\n'),
      breakMode: 'always',
    };
  }
}

/** The lines with a statement on them, in order, by file. */
async function linesOf({ input }: Launch): Promise<ReadonlyMap<string, readonly number[]> | null> {
  const { model } = await graphs(input);
  if (model === null) return null;
  const lines = new Map<string, Set<number>>();
  for (const { edges } of model)
    for (const { at } of edges) {
      if (at === undefined) continue;
      const known = lines.get(at.file);
      if (known === undefined) lines.set(at.file, new Set([at.line]));
      else known.add(at.line);
    }
  return new Map([...lines].map(([file, known]) => [file, [...known].sort((a, b) => a - b)]));
}
