// What [Ciclo] reports of its sixteen models: Tables II to VI, by the name of our model of the same protocol. Null where the paper has no number.

const bounded = (result, seconds, cycles, vectors, types, lps) => ({
  result,
  seconds,
  cycles,
  vectors,
  types,
  lps,
});
const refined = (found, spurious, dependencies) => ({ found, spurious, dependencies });
const livelock = (result, seconds, lps, found, spurious, dependencies) => ({
  result,
  seconds,
  lps,
  found,
  spurious,
  dependencies,
});

/** name in the paper; our file; Table II: processes, buffers; Table III; Table IV; Table VI. */
export const MODELS = [
  {
    paper: 'CDMA-RLP',
    file: 'cdma-rlp',
    processes: '2',
    buffers: 3,
    bounded: bounded('BOUNDED', 31.89, 886, 1772, 4, 3),
    refined: null,
    livelock: null,
  },
  {
    paper: 'Conway',
    file: 'conway',
    processes: '4',
    buffers: 3,
    bounded: bounded('BOUNDED', 0.42, 12, 24, 7, 5),
    refined: refined(4, 4, 4),
    livelock: livelock('LIVELOCK-FREE', 0.42, 5, 4, 4, 4),
  },
  {
    paper: 'CORBA-GIOP',
    file: 'corba-giop',
    processes: '8',
    buffers: 12,
    bounded: bounded('UNKNOWN', 1.44, 34, 38, 12, 5),
    refined: refined(4, 2, 18),
    livelock: livelock('UNKNOWN', 2.02, 4, 3, 2, 3),
  },
  {
    paper: 'Credit Recovery',
    file: 'credit-recovery',
    processes: '11',
    buffers: 8,
    bounded: bounded('BOUNDED', 0.19, 5, 14, 10, 4),
    refined: refined(1, 1, 1),
    livelock: livelock('LIVELOCK-FREE', 0.17, 2, 1, 1, 1),
  },
  {
    paper: 'GARP',
    file: 'garp',
    processes: '8',
    buffers: 10,
    bounded: bounded('UNKNOWN', 1.36, 51, 94, 19, 6),
    refined: refined(5, 2, 23),
    livelock: livelock('LIVELOCK-FREE', 1.71, 6, 5, 5, 5),
  },
  {
    paper: 'HTTPR-Pull',
    file: 'httpr-pull',
    processes: '4',
    buffers: 5,
    bounded: bounded('UNKNOWN', 0.97, 39, 46, 7, 3),
    refined: refined(2, 1, 2),
    livelock: livelock('UNKNOWN', 3.67, 5, 4, 2, 4),
  },
  {
    paper: 'i-Protocol',
    file: 'i-protocol',
    processes: '4',
    buffers: 4,
    bounded: null,
    refined: null,
    livelock: livelock('UNKNOWN', 0.53, 5, 4, 1, 4),
  },
  {
    paper: 'ITU-T',
    file: 'itu-t-mcs',
    processes: '12',
    buffers: 38,
    bounded: bounded('UNKNOWN', 1.13, 54, 207, 56, 2),
    refined: refined(1, 0, 2),
    livelock: livelock('UNKNOWN', 0.73, 1, 1, 0, 0),
  },
  {
    paper: 'Leader Election',
    file: 'leader',
    processes: '5',
    buffers: 5,
    bounded: bounded('BOUNDED', 0.58, 8, 62, 20, 6),
    refined: null,
    livelock: livelock('UNKNOWN', 0.55, 2, 1, 0, 1),
  },
  {
    paper: 'Mobile Handover',
    file: 'mobile-handover',
    processes: '6',
    buffers: 7,
    bounded: null,
    refined: null,
    livelock: livelock('UNKNOWN', 0.28, 2, 1, 0, 1),
  },
  {
    paper: 'MVCC',
    file: 'mvcc',
    processes: '9',
    buffers: 14,
    bounded: bounded('UNKNOWN', 1.05, 19, 41, 30, 4),
    refined: refined(4, 2, 29),
    livelock: livelock('LIVELOCK-FREE', 0.81, 4, 3, 3, 3),
  },
  {
    paper: 'Neilsen-Mizuno',
    file: 'neilsen-mizuno',
    processes: '11',
    buffers: 5,
    bounded: bounded('UNKNOWN', 4.05, 8, 781, 55, 3),
    refined: refined(2, 0, 3),
    livelock: livelock('UNKNOWN', 2.19, 2, 2, 1, 1),
  },
  {
    paper: 'SIP',
    file: 'sip',
    processes: 'no limit',
    buffers: 4,
    bounded: bounded('BOUNDED', 2.44, 14, 2187, 34, 1),
    refined: null,
    livelock: livelock('UNKNOWN', 4.33, 3, 2, 0, 2),
  },
  {
    paper: 'Sleep-Wakeup',
    file: 'sleep-wakeup',
    processes: '4',
    buffers: 1,
    bounded: bounded('UNKNOWN', 0.14, 17, 17, 1, 1),
    refined: refined(1, 0, 0),
    livelock: null,
  },
  {
    paper: 'Snooping Cache',
    file: 'snooping-cache',
    processes: '7',
    buffers: 14,
    bounded: bounded('BOUNDED', 1.81, 104, 104, 36, 15),
    refined: null,
    livelock: livelock('UNKNOWN', 2.17, 4, 4, 3, 3),
  },
  {
    paper: 'Train Controller',
    file: 'train-controller',
    processes: '5',
    buffers: 10,
    bounded: bounded('UNKNOWN', 0.81, 10, 174, 18, 2),
    refined: refined(2, 1, 3),
    livelock: livelock('UNKNOWN', 0.58, 2, 2, 1, 1),
  },
];

/** Table V: the same model with growing numbers; seconds. */
export const FAMILIES = [
  {
    paper: 'Leader Election',
    file: 'leader',
    define: 'N',
    seconds: { 5: 0.58, 10: 1.45, 20: 4.66, 30: 10.58, 40: 20, 50: 33.53 },
  },
  {
    paper: 'MVCC',
    file: 'mvcc',
    define: 'USERS',
    seconds: { 2: 1.05, 4: 1.25, 8: 1.34, 12: 2.38, 16: 3.22, 20: 4.09 },
  },
];

/** Protocols of the corpus that the paper does not have. */
export const OTHERS = [{ file: 'sliding-window' }, { file: 'tcp-like' }];

/** Why a proved bound is larger than the true maximum. */
export const REASONS = {
  leader:
    'which messages a node swallows depends on identities, and the net counts messages of each kind, not who is left; 4 is what every node may have sent.',
  'neilsen-mizuno':
    'the way a request takes along the tree depends on all parents at once; the net sees each variable by itself.',
};
