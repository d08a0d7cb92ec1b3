import { render } from '../source/diagnostic.ts';
import type { ModelReport } from '../verdict/verdict.ts';

export function reportText(reports: readonly ModelReport[]): string {
  const lines: string[] = [];
  for (const report of reports) {
    for (const diagnostic of report.diagnostics) lines.push(render(diagnostic), '');
    for (const property of report.properties) {
      lines.push(
        `${report.files.join(' ')}  ${property.id}: ${property.verdict}${property.reason ? ` (${property.reason})` : ''}`,
      );
    }
  }
  return `${lines.join('\n')}\n`;
}
