/** The numbers are used inside generated code. */
export const FAULT = {
  index: 1,
  division: 2,
  uninitialisedChannel: 3,
  tooManyProcesses: 4,
  tooManyChannels: 5,
  pollRendezvous: 6,
  dstepBlocks: 7,
  dstepRendezvous: 8,
  dstepEndless: 9,
  messageFields: 10,
  priorityRange: 11,
  assertion: 12,
  /** A limit of the engine, not an error of the model. */
  memory: 13,
  sendFields: 14,
  receiveFields: 15,
} as const;

export type FaultCode = (typeof FAULT)[keyof typeof FAULT];

/** Errors that SPIN's verifier reports and passes (`pan -c0`): the step is made, or is not executable, and the search goes on. */
const PASSABLE: ReadonlySet<number> = new Set([
  FAULT.assertion,
  FAULT.sendFields,
  FAULT.receiveFields,
  FAULT.pollRendezvous,
]);

export const isPassable = (code: number): boolean => PASSABLE.has(code);

/**
 * Not errors of the model but limits, of SPIN (255 processes, 255 channels) or of the engine. What would follow was not seen.
 */
const LIMITS: ReadonlySet<number> = new Set([
  FAULT.tooManyProcesses,
  FAULT.tooManyChannels,
  FAULT.dstepEndless,
  FAULT.memory,
]);

export const isLimit = (code: number): boolean => LIMITS.has(code);

interface FaultText {
  readonly code: `SPW${number}`;
  readonly message: string;
  readonly help: string;
}

const TEXTS: Record<FaultCode, FaultText> = {
  [FAULT.index]: {
    code: 'SPW1301',
    message: 'array index out of range',
    help: 'guard the index, or make the array larger',
  },
  [FAULT.division]: { code: 'SPW1302', message: 'division by zero', help: 'guard the divisor' },
  [FAULT.uninitialisedChannel]: {
    code: 'SPW1303',
    message: 'use of a channel that does not exist (uninitialised, or its process has ended)',
    help: 'initialise the chan variable before this statement',
  },
  [FAULT.tooManyProcesses]: {
    code: 'SPW1304',
    message: 'too many processes: SPIN allows 255 at a time',
    help: 'let processes end, or bound how many are started',
  },
  [FAULT.tooManyChannels]: {
    code: 'SPW1305',
    message: 'too many channels: SPIN allows 255 at a time',
    help: 'use fewer channels',
  },
  [FAULT.pollRendezvous]: {
    code: 'SPW1306',
    message: 'the contents of a rendezvous channel cannot be tested or copied',
    help: 'give the channel a capacity',
  },
  [FAULT.dstepBlocks]: {
    code: 'SPW1307',
    message: 'a statement inside d_step blocks',
    help: 'only the first statement of a d_step may block',
  },
  [FAULT.dstepRendezvous]: {
    code: 'SPW1308',
    message: 'a rendezvous inside d_step',
    help: 'use atomic instead of d_step',
  },
  [FAULT.dstepEndless]: {
    code: 'SPW1309',
    message: 'a d_step did not end within a million steps',
    help: 'let the loop inside the d_step end',
  },
  [FAULT.messageFields]: {
    code: 'SPW1310',
    message: 'a receive asks for another number of fields than the message has',
    help: 'receive as many fields as the channel declares',
  },
  [FAULT.sendFields]: {
    code: 'SPW1313',
    message: 'a message is sent with another number of fields than the channel has',
    help: 'send as many fields as the channel declares: missing ones are sent as 0, others are lost',
  },
  [FAULT.receiveFields]: {
    code: 'SPW1314',
    message: 'a message is received with another number of fields than the channel has',
    help: 'receive as many fields as the channel declares',
  },
  [FAULT.priorityRange]: {
    code: 'SPW1311',
    message: 'a priority outside 1..255',
    help: 'priorities go from 1 to 255',
  },
  [FAULT.assertion]: { code: 'SPW1300', message: 'assertion violated', help: 'see the run that leads here' },
  [FAULT.memory]: {
    code: 'SPW1312',
    message: 'the engine has no room for a state as large as this',
    help: 'bound the queues',
  },
};

/** For `spillway explain`. */
export const FAULT_EXPLANATIONS: Readonly<
  Record<string, { readonly title: string; readonly explanation: string }>
> = Object.fromEntries(
  Object.values(TEXTS).map(({ code, message, help }) => [
    code,
    { title: message, explanation: `While the model runs: ${message}. To avoid it: ${help}.` },
  ]),
);

export const FAULT_MESSAGES: readonly string[] = Object.values(TEXTS).map(({ message }) => message);

export function faultText(code: FaultCode): string {
  return TEXTS[code].message;
}
