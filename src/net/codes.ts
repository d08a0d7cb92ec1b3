// Diagnostics of the counting abstraction, for `spillway explain`.

export const NET_CODES = {
  SPW2001: {
    title: 'a progress selector names nothing',
    explanation:
      'A selector given with --progress must name a statement (`client(0):tc[0]?ack`, `tc[0]?ack`), a label (`client:served`, `served`) or a line (`model.pml:12`, `12`) that some process can reach. Nothing in the model matches this one.',
  },
  SPW2002: {
    title: 'the net does not have every run of the model',
    explanation:
      'Something reachable cannot be seen through (embedded C, a channel that is not known) or a limit was reached, so the written net lacks what happens there. The reason and the place are shown; nothing should be concluded from the net about the whole model.',
  },
} as const;
