// Every number that bounds the abstraction, in one place. Reaching one costs precision or gives an `unknown` with its reason.

export interface Limits {
  /** Locations of one class; past it a variable is no longer unfolded. */
  readonly locationsPerClass: number;
  /** Locations per location of the proctype that variables may cost which do not decide the structure of the system. */
  readonly growth: number;
  /** Ways of executing segments that they may cost, per class. */
  readonly workPerClass: number;
  readonly locations: number;
  /** Values of one unfolded cell in one class, unless it decides queues, message types or started processes. */
  readonly valuesPerUnfolded: number;
  readonly classes: number;
  /** Classes of one proctype before arguments are merged: those that decide nothing, or all plain ones if it creates itself. */
  readonly classesPerProctype: number;
  /** Values of a shared variable that is not unfolded before it may have any value. */
  readonly valuesPerShared: number;
  /** The same for locals, and for message fields that are not told apart: a few are worth following, more only cost time. */
  readonly valuesPerLocal: number;
  /** Values of a message field that are told apart. */
  readonly valuesPerField: number;
  /** Values that `eval(x)` patterns ask for, of one field. */
  readonly evaluatedPerField: number;
  /** Ways of executing segments, in all, in one exploration; past it a variable is no longer unfolded. */
  readonly work: number;
  /** Values a token variable may have. */
  readonly tokenValues: number;
  /** Ways to execute one fused segment before it is split again. */
  readonly waysPerSegment: number;
  /** Ways to execute one statement at all. */
  readonly waysPerStatement: number;
  /** Statements fused into one transition. */
  readonly segmentLength: number;
  /** Steps inside one d_step before its inner steps become transitions. */
  readonly dstepLength: number;
  /** Elements an unknown index is spread over; channel arrays have their own. */
  readonly spreadIndex: number;
  readonly spreadChannels: number;
  /** Rounds of planning and exploring. */
  readonly rounds: number;
}

export const DEFAULT_LIMITS: Limits = {
  locationsPerClass: 6000,
  growth: 40,
  workPerClass: 20_000,
  locations: 100_000,
  valuesPerUnfolded: 64,
  classes: 20_000,
  classesPerProctype: 16,
  valuesPerShared: 16,
  valuesPerLocal: 4,
  valuesPerField: 64,
  evaluatedPerField: 16,
  work: 2_000_000,
  tokenValues: 16,
  waysPerSegment: 512,
  waysPerStatement: 20_000,
  segmentLength: 64,
  dstepLength: 2000,
  spreadIndex: 64,
  spreadChannels: 4096,
  rounds: 40,
};
