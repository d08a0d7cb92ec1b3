// The formats a report can be written in. HTML is large and rarely wanted, so it is loaded on use.

import type { ModelReport } from '../verdict/verdict.ts';
import type { PageOptions } from './html/page.ts';
import { reportJson } from './json.ts';
import { type JunitOptions, reportJunit } from './junit.ts';
import { reportMarkdown } from './markdown.ts';
import { reportSarif, type SarifOptions } from './sarif.ts';
import { reportText, type TextOptions } from './text.ts';

export const FORMATS = ['text', 'json', 'html', 'sarif', 'junit', 'markdown'] as const;
export type Format = (typeof FORMATS)[number];

export const isFormat = (name: string): name is Format => (FORMATS as readonly string[]).includes(name);

export async function renderReports(
  reports: readonly ModelReport[],
  format: Format,
  options: TextOptions & SarifOptions & JunitOptions & PageOptions,
): Promise<string> {
  switch (format) {
    case 'text':
      return reportText(reports, options);
    case 'json':
      return reportJson(reports);
    case 'html': {
      const [{ reportHtml }, { drawGraphs }] = await Promise.all([
        import('./html/page.ts'),
        import('./html/pictures.ts'),
      ]);
      return reportHtml(reports, await drawGraphs(reports), options);
    }
    case 'sarif':
      return reportSarif(reports, options);
    case 'junit':
      return reportJunit(reports, options);
    case 'markdown':
      return reportMarkdown(reports);
  }
}
