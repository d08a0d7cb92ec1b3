// Random protocols as text: two machines or three in a network, messages with one field or two, channels that lose or double, internal actions, final states,
// messages that wait.

import fc from 'fast-check';

/** More cases and other seeds: SPILLWAY_FUZZ=2000 SPILLWAY_SEED=7. */
export const runs = Number(process.env['SPILLWAY_FUZZ'] ?? 8);
export const seed = Number(process.env['SPILLWAY_SEED'] ?? 0);

/** Longer fuzzing may take its time. */
export const LIMIT = 36_000_000;

interface RandomAction {
  readonly from: number;
  readonly to: number;
  readonly type: number;
  readonly condition: number;
  readonly update: number;
  readonly second: number;
}

/** Sums that are not differences go to the SMT solver, which takes its time: only for longer fuzzing. */
const LAST = runs > 60 ? 6 : 5;

const action = fc.record({
  from: fc.nat(1),
  to: fc.nat(1),
  type: fc.nat(1),
  condition: fc.nat(LAST),
  update: fc.nat(LAST),
  second: fc.nat(3),
});

/** The last of each is not a difference. Sends are mostly determined by the registers, so that there is something to know about the messages. */
const SEND = ['n = x', 'n = x', 'n = y', 'n = x + 1', 'n >= x, n <= y', 'x > y, n + 1 = x', 'n = x + y'];
const RECEIVE = ['n >= 0', 'n >= 0', 'n = x', 'n >= y', 'n >= x', 'n <= x', '2 * n >= x'];
const UPDATE = [
  '',
  'do x := x + 1',
  'do y := n + 1',
  'do x := n',
  'do x := x + 1, y := x',
  'do x := x - 1',
  'do y := x + y',
];

/** What is said of the second field, where there is one. */
const SECOND = {
  send: [', m = y', ', m <= 1', ', m = n', ', m >= x, m <= y + 1'],
  receive: ['', '', ', m >= y', ', m <= x + 1'],
};
const SECOND_UPDATE = ['', 'do y := m', '', 'do x := m + 1'];

const KINDS = ['send', 'receive'] as const;
type Kind = (typeof KINDS)[number];

function actionText(
  kind: Kind,
  type: string,
  peer: string,
  one: RandomAction,
  i: number,
  two: boolean,
): string {
  const condition = (kind === 'send' ? SEND : RECEIVE)[one.condition];
  const more = two ? SECOND[kind][one.second] : '';
  const update = (two && SECOND_UPDATE[one.second]) || UPDATE[one.update];
  return `  ${kind}${i}: s${one.from} -> s${one.to} ${kind} ${type}(n${two ? ', m' : ''})${peer} when ${condition}${more} ${update};`;
}

function machineText(
  name: string,
  sends: readonly RandomAction[],
  receives: readonly RandomAction[],
  prefix: string,
  other: string,
  extra: string,
): string {
  const line = (kind: Kind, one: RandomAction, i: number): string => {
    const type = `${kind === 'send' ? prefix : other}${one.type}`;
    return actionText(kind, type, '', one, i, extra === 'fields');
  };
  return `machine ${name} {
  states s0, s1;
  registers x, y;
  init s0 where x = 0, y = 0;
${sends.map((one, i) => line('send', one, i)).join('\n')}
${receives.map((one, i) => line('receive', one, i)).join('\n')}
${extra === 'internal' ? '  tick: s0 -> s1 internal when x <= y do x := y + 1;' : ''}${extra === 'final' ? '  final s1;' : ''}
}`;
}

export const protocols = fc
  .record({
    sendsA: fc.array(action, { minLength: 1, maxLength: 3 }),
    receivesA: fc.array(action, { maxLength: 4 }),
    sendsB: fc.array(action, { maxLength: 3 }),
    receivesB: fc.array(action, { minLength: 1, maxLength: 4 }),
    /** Strict as drawn; or everything is received everywhere, and A can always send, so that more protocols are safe; or with one hole. */
    manner: fc.constantFrom('strict', 'tolerant', 'tolerant', 'almost'),
    hole: fc.nat(7),
    /** Nothing more, mostly; or a channel that loses messages, an action that nobody else sees, states to end in, a second field. */
    extra: fc.constantFrom('', '', 'lossy', 'duplicating', 'internal', 'final', 'fields', 'fields'),
  })
  .map(({ sendsA, receivesA, sendsB, receivesB, manner, hole, extra }) => {
    const idle = (from: number, type: number): RandomAction => ({
      from,
      to: from,
      type,
      condition: 0,
      update: 0,
      second: 0,
    });
    const everything = [0, 1].flatMap((from) => [0, 1].map((type) => idle(from, type)));
    const receives = (drawn: readonly RandomAction[], sends: readonly RandomAction[], shift: number) => {
      if (manner === 'strict') return drawn;
      const sent = (one: RandomAction): boolean => sends.some(({ type }) => type === one.type);
      const all = everything.filter((_, i) => manner === 'tolerant' || i + shift !== hole);
      return [...drawn.filter(sent), ...all.filter(sent)];
    };
    const lively = manner === 'strict' ? [] : [0, 1].map((from) => idle(from, sendsA[0]!.type));
    return [
      machineText('A', [...sendsA, ...lively], receives(receivesA, sendsB, 0), 'M', 'K', extra),
      machineText('B', sendsB, receives(receivesB, sendsA, 4), 'K', 'M', extra),
      ...(extra === 'lossy' || extra === 'duplicating' ? [`${extra} A->B;`] : []),
    ].join('\n');
  });

const NAMES = ['A', 'B', 'C'];

interface NetworkAction extends RandomAction {
  /** Sends to, or receives from, the next machine or the one after. */
  readonly hop: number;
}

const networkAction = fc.record({
  from: fc.nat(1),
  to: fc.nat(1),
  type: fc.nat(1),
  condition: fc.nat(LAST),
  update: fc.nat(LAST),
  second: fc.nat(3),
  hop: fc.constantFrom(1, 1, 1, 2),
});

/** Three machines: mostly a ring, sometimes with channels back. */
const networks = fc
  .record({
    sends: fc.array(fc.array(networkAction, { minLength: 1, maxLength: 2 }), { minLength: 3, maxLength: 3 }),
    receives: fc.array(fc.array(networkAction, { maxLength: 2 }), { minLength: 3, maxLength: 3 }),
    manner: fc.constantFrom('strict', 'tolerant', 'tolerant', 'tolerant', 'deferring'),
    hole: fc.nat(3),
    extra: fc.constantFrom('', '', 'lossy', 'internal', 'final', 'fields'),
  })
  .map(({ sends, receives, manner, hole, extra }) => {
    const two = extra === 'fields';
    const texts = NAMES.map((name, side) => {
      const sent = sends[side]!.map((one, i) =>
        actionText('send', `M${one.type}`, ` to ${NAMES[(side + one.hop) % 3]}`, one, i, two),
      );
      const taken = receivedBy(side, sends, receives[side]!, manner);
      const received = taken
        .filter((one) => !(manner === 'deferring' && side === 1 && one.hop === 2 && one.from === 1))
        .map((one, i) =>
          actionText('receive', `M${one.type}`, ` from ${NAMES[(side + one.hop) % 3]}`, one, i, two),
        );
      const waits = manner === 'deferring' && side === 1 && sends[0]!.some(({ hop }) => hop === 1);
      return [
        `machine ${name} {`,
        '  states s0, s1;',
        '  registers x, y;',
        '  init s0 where x = 0, y = 0;',
        ...sent,
        ...received.filter((_, i) => manner === 'tolerant' || manner === 'deferring' || i !== hole),
        ...(extra === 'internal' ? ['  tick: s0 -> s1 internal when x <= y do x := y + 1;'] : []),
        ...(extra === 'final' ? ['  final s1;'] : []),
        ...(waits ? ['  defer A in s1;'] : []),
        '}',
      ].join('\n');
    });
    const first = NAMES[sends[0]![0]!.hop];
    return [...texts, ...(extra === 'lossy' ? [`lossy A->${first};`] : [])].join('\n');
  });

/** What was drawn, as far as somebody sends it; and where the machine is tolerant, everything that is sent to it. */
function receivedBy(
  side: number,
  sends: readonly (readonly NetworkAction[])[],
  drawn: readonly NetworkAction[],
  manner: string,
): NetworkAction[] {
  const sentTo = ({ hop, type }: NetworkAction): boolean =>
    sends[(side + hop) % 3]!.some((one) => one.type === type && one.hop === 3 - hop);
  const own = drawn.filter(sentTo);
  if (manner === 'strict') return own;
  const all = [1, 2].flatMap((hop) =>
    [0, 1].flatMap((type) =>
      [0, 1].map((from) => ({ from, to: from, type, condition: 0, update: 0, second: 0, hop })),
    ),
  );
  return [...own, ...all.filter(sentTo)];
}

/** Mostly two machines. */
export const anyProtocols = fc.oneof({ weight: 2, arbitrary: protocols }, { weight: 1, arbitrary: networks });
