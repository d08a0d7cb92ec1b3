// The API for browsers: all of `spillway`, and the parts of the report that a page can show. Nothing here needs Node.

export * from './index.ts';
export { graphViewers } from './report/html/client/graph-viewer.ts';
export {
  copyButtons,
  foldedParts,
  linesToGraphs,
  openTargets,
  scrollToMarks,
  searchBoxes,
} from './report/html/client/page-parts.ts';
export { type RunData, runViewer } from './report/html/client/run-viewer.ts';
export { modelSection, reportHtml } from './report/html/page.ts';
export { drawGraphs } from './report/html/pictures.ts';
export { STYLE as REPORT_STYLE } from './report/html/style.ts';
export { traceSvg } from './report/trace-svg.ts';
