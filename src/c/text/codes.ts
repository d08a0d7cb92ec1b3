// Every diagnostic of the C front end and of `.spec` files: stable codes, explained by `spillway explain`.

import type { Diagnostic } from '../../source/diagnostic.ts';
import type { SourceFile, Span } from '../../source/source.ts';

export const C_CODES = {
  SPW5001: {
    title: 'the C text does not parse',
    explanation: 'The text is not C, nor GNU C. The place is the first word that does not fit.',
  },
  SPW5002: {
    title: 'a preprocessor directive is wrong',
    explanation:
      'An #if without #endif, a macro called with the wrong number of arguments, or an #error that was reached.',
  },
  SPW5003: {
    title: 'an included file was not found',
    explanation:
      'Local includes are searched beside the including file and in the folders given by -I. Of the system headers the usual ones are built in; give the folder of any other with -I, or leave out the include.',
  },
  SPW5010: {
    title: 'a name is not declared',
    explanation: 'The identifier has no declaration that is visible here.',
  },
  SPW5011: {
    title: 'a type is wrong or not complete',
    explanation:
      'The expression needs a type it does not have, or a struct that is only declared, not defined.',
  },
  SPW5012: {
    title: 'a construct of C is not supported here',
    explanation:
      'Spillway refuses what it can neither model exactly nor over-approximate soundly at this place. The message names it.',
  },
  SPW5013: {
    title: 'a label is missing or defined twice',
    explanation: 'goto, case and break need their target in the same function.',
  },
  SPW5014: {
    title: 'a name is defined twice',
    explanation: 'Two definitions of the same function, variable or type.',
  },
  SPW5015: {
    title: 'a constant is needed here',
    explanation:
      'Sizes of arrays, values of enumerators and case labels must be integer constant expressions.',
  },
  SPW5016: {
    title: 'a static assertion fails',
    explanation:
      'The program says that it does not compile like this. Where sizes are asked for, the data model may be another one: -m32, -m64 or --data-model.',
  },
  SPW5020: {
    title: 'there is no function to start from',
    explanation:
      'A .c file is checked from its function main; a .spec names the procedures of its components.',
  },
  SPW5021: {
    title: 'there is nothing to check',
    explanation:
      'A .c file states its property by reach_error(), __VERIFIER_error(), assert(...) or a label ERROR. None of them occurs in what main can call.',
  },
  SPW5030: {
    title: 'the program is too large after inlining',
    explanation: 'Calls are inlined; the resulting control flow graph is larger than the limit.',
  },
  SPW5101: {
    title: 'the specification does not parse',
    explanation: 'See docs/c.md for the notation of .spec files.',
  },
  SPW5102: {
    title: 'a component’s procedure does not exist',
    explanation: 'The procedure of a component must be defined in one of the C files of the specification.',
  },
  SPW5103: {
    title: 'an event is offered by nobody',
    explanation: 'A property or a process names an event that no component can take part in.',
  },
  SPW5104: {
    title: 'a formula uses an unknown name',
    explanation:
      'Formulas are over the events of the system and over predicates on variables of the components.',
  },
  SPW5105: {
    title: 'a C file of the specification cannot be read',
    explanation: 'The path is relative to the .spec file.',
  },
  SPW5106: {
    title: 'a label does not exist',
    explanation: 'The label must be in a function that the component can call.',
  },
  SPW5107: {
    title: 'two components use the same global variable',
    explanation:
      'Threads communicate by events only; each is analysed with globals of its own. Where one writes a global that another one uses, the properties of that thread are unknown.',
  },
  SPW5108: {
    title: 'a name is declared twice in the specification',
    explanation: 'Components, routines, processes and predicates share one name space each.',
  },
  SPW5109: {
    title: 'there is no such property',
    explanation: 'The property asked for on the command line is not in the specification.',
  },
} as const;

export type CCode = keyof typeof C_CODES;

export const problem = (code: CCode, message: string, span: Span | null, help?: string): Diagnostic => ({
  code,
  severity: 'error',
  message,
  span,
  ...(help === undefined ? {} : { help }),
});

export const warning = (code: CCode, message: string, span: Span | null, help?: string): Diagnostic => ({
  ...problem(code, message, span, help),
  severity: 'warning',
});

/** Thrown inside the front end, caught at its door: the user's text cannot be used, for this reason. */
export class Refusal extends Error {
  readonly diagnostic: Diagnostic;
  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

export function refuse(code: CCode, message: string, span: Span | null, help?: string): never {
  throw new Refusal(problem(code, message, span, help));
}

/** The call stack is the limit of what recursive descent can read. */
export const tooDeep = (file: SourceFile): Diagnostic =>
  problem('SPW5012', 'the program is nested too deeply', { file, start: 0, end: 1 });
