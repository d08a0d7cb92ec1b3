// Writes a problem in the LP format of lp_solve (and close relatives): for the benchmark beside the papers' engine, and for people
// who want to see the program.

import type { Problem, Term } from '../problem.ts';

export function toLpFormat(problem: Problem): string {
  const lines = [
    `${problem.objective.sense === 'maximise' ? 'max' : 'min'}: ${sum(problem.objective.terms)};`,
  ];
  problem.rows.forEach((row, index) => {
    const terms = sum(row.terms);
    if (row.lower !== null && row.lower === row.upper) lines.push(`r${index}: ${terms} = ${row.lower};`);
    else {
      if (row.lower !== null) lines.push(`r${index}l: ${terms} >= ${row.lower};`);
      if (row.upper !== null) lines.push(`r${index}u: ${terms} <= ${row.upper};`);
    }
  });
  problem.columns.forEach((column, index) => {
    if (column.lower === null) lines.push(`x${index} >= -1e30;`);
    else if (column.lower !== 0) lines.push(`x${index} >= ${column.lower};`);
    if (column.upper !== null) lines.push(`x${index} <= ${column.upper};`);
  });
  const integers = problem.columns.flatMap((column, index) => (column.integer ? [`x${index}`] : []));
  if (integers.length > 0) lines.push(`int ${integers.join(',')};`);
  return `${lines.join('\n')}\n`;
}

function sum(terms: readonly Term[]): string {
  if (terms.length === 0) return '0 x0';
  return terms
    .map(({ column, coefficient }) => `${coefficient < 0 ? '' : '+'}${coefficient} x${column}`)
    .join(' ');
}
