import type { Diagnostic, Severity } from '../source/diagnostic.ts';
import type { Span } from '../source/source.ts';

/** Diagnostics of SCXML documents and of systems of them: 6000 XML, 6010 structure, 6030 expressions, 6050 systems, 6070 at run time. */
export const CODES = {
  notWellFormed: 'SPW6000',
  tooLarge: 'SPW6001',
  notScxml: 'SPW6010',
  unknownElement: 'SPW6011',
  missingAttribute: 'SPW6012',
  badAttribute: 'SPW6013',
  unknownTarget: 'SPW6014',
  duplicateId: 'SPW6015',
  badStructure: 'SPW6016',
  badTargets: 'SPW6017',
  unsupportedDatamodel: 'SPW6018',
  unsupportedProcessor: 'SPW6019',
  missingFile: 'SPW6020',
  expressionSyntax: 'SPW6030',
  nullExpression: 'SPW6031',
  changesBuiltins: 'SPW6032',
  systemJson: 'SPW6050',
  systemShape: 'SPW6051',
  systemName: 'SPW6052',
  systemChart: 'SPW6053',
  scriptLimit: 'SPW6070',
  endlessMacrostep: 'SPW6071',
  unrepresentable: 'SPW6072',
  nondeterministic: 'SPW6073',
  unhandledError: 'SPW6074',
} as const;

/** Collects what is wrong with one document. */
export class Problems {
  readonly list: Diagnostic[] = [];

  error(code: Diagnostic['code'], span: Span | null, message: string, help?: string): void {
    this.add('error', code, span, message, help);
  }

  warning(code: Diagnostic['code'], span: Span | null, message: string, help?: string): void {
    this.add('warning', code, span, message, help);
  }

  private add(
    severity: Severity,
    code: Diagnostic['code'],
    span: Span | null,
    message: string,
    help?: string,
  ): void {
    this.list.push({ code, severity, message, span, ...(help === undefined ? {} : { help }) });
  }
}

/** For `spillway explain`. */
export const SCXML_CODES = {
  SPW6000: {
    title: 'the document is not well-formed XML',
    explanation:
      "The place is where the parser noticed it; the cause may stand before it (a tag that is not closed, a quote that is missing). Entities other than XML's own five are not known.",
  },
  SPW6001: {
    title: 'the document is too large',
    explanation: 'At most 16 million characters, 500,000 elements and 400 levels of nesting are read.',
  },
  SPW6010: {
    title: 'the document is no SCXML',
    explanation:
      'The root element must be <scxml> in the namespace http://www.w3.org/2005/07/scxml, or without a namespace.',
  },
  SPW6011: {
    title: 'an element is unknown, or stands in the wrong place',
    explanation:
      'Elements of other namespaces are ignored outside of executable content; inside it they are left out with a warning.',
  },
  SPW6012: { title: 'an attribute is missing', explanation: 'The recommendation requires it.' },
  SPW6013: {
    title: 'an attribute has a value that is not allowed',
    explanation: 'Or two attributes exclude each other.',
  },
  SPW6014: {
    title: 'a target names no state',
    explanation:
      'Targets are ids of states, final states, parallel states or histories of the same document.',
  },
  SPW6015: { title: 'two states have the same id', explanation: 'Ids are unique within a document.' },
  SPW6016: { title: 'a part of the chart is missing or given twice', explanation: 'The message says which.' },
  SPW6017: {
    title: 'the targets of a transition do not fit together',
    explanation:
      'An initial state or the default of a history must lie inside its state; several targets must be able to be active together, in different regions of a <parallel>.',
  },
  SPW6018: {
    title: 'the data model is not supported',
    explanation: "Supported are 'ecmascript', which is the default, and 'null'.",
  },
  SPW6019: {
    title: 'events over HTTP are not part of the analysis',
    explanation:
      'The Basic HTTP Event Processor would need a network. The send raises error.execution, as the recommendation wants of a processor that is not supported.',
  },
  SPW6020: {
    title: 'a file that the document names cannot be read',
    explanation: 'Paths are relative to the document; only files are read.',
  },
  SPW6030: {
    title: 'an expression is no ECMAScript',
    explanation:
      'A warning, since the recommendation gives it a meaning: error.execution whenever it is evaluated, and false where it is a condition.',
  },
  SPW6031: {
    title: "the data model 'null' has no expressions",
    explanation:
      "Only conditions of the form In('state') can be evaluated. Everything else raises error.execution.",
  },
  SPW6032: {
    title: 'a built-in object is changed',
    explanation:
      'The objects of the language cannot be changed by a chart here, so that its data is all that it remembers.',
  },
  SPW6050: {
    title: 'the description of the system is not JSON',
    explanation: 'Commas after the last element and comments are not JSON.',
  },
  SPW6051: {
    title: 'the description of the system has the wrong shape',
    explanation: 'See schema/system.schema.json.',
  },
  SPW6052: {
    title: 'a name in the description of the system is unknown',
    explanation:
      'Targets lead to instances of the same file; data are ids of <data> at the top of the chart.',
  },
  SPW6053: {
    title: 'a chart of the system cannot be read',
    explanation: 'The path is relative to the description.',
  },
  SPW6070: {
    title: 'a script is stopped',
    explanation:
      'Scripts run in a sandbox that counts their steps (about four million jumps and calls at a time) and their memory (64 MB). What would happen after that is not known, so nothing is proved.',
  },
  SPW6071: {
    title: 'a macrostep does not end',
    explanation:
      'Eventless transitions or raised events keep the chart busy, and no event from outside is ever taken. If the same state comes back this is certain, and livelock-free is refuted; otherwise the chart was stopped after ten thousand steps.',
  },
  SPW6072: {
    title: 'data cannot be compared',
    explanation:
      'Functions that remember variables of a function around them, accessors, symbols and objects with prototypes of their own hold more than can be written down. Functions at the top of a script are fine.',
  },
  SPW6073: {
    title: 'the chart reads the clock or random numbers',
    explanation:
      'An analysis needs the same answer to the same question. Let the value come in as data of an event from outside.',
  },
  SPW6074: {
    title: 'an error event reaches nobody',
    explanation:
      'An expression, a send or an invocation fails, the chart is told by error.execution or error.communication, and no transition listens to it.',
  },
} as const;
