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
