// Diagnostics of the counting abstraction, for `spillway explain`.

export const NET_CODES = {
  SPW2001: {
    title: 'a progress selector names nothing',
    explanation:
      'A selector given with --progress must name a statement (`client(0):tc[0]?ack`, `tc[0]?ack`), a label (`client:served`, `served`) or a line (`model.pml:12`, `12`) that some process can reach. Nothing in the model matches this one.',
  },
} as const;
