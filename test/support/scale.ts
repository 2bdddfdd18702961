import { appendFileSync } from 'node:fs';

/** How large a suite is: small in every run, and as large as `GATEHOUSE_TEST_…` says when it is measured. */
export const scaleOf = (name: 'EVENTS' | 'EXPORTED' | 'MOVED' | 'KILLS', usual: number): number =>
  Number(process.env[`GATEHOUSE_TEST_${name}`] ?? usual);

/** Writes what was measured to the file that `GATEHOUSE_TEST_FIGURES` names, where it names one. */
export function noteFigure(what: string, figure: unknown): void {
  const path = process.env['GATEHOUSE_TEST_FIGURES'];
  if (path) appendFileSync(path, `${what}: ${JSON.stringify(figure)}\n`);
}
