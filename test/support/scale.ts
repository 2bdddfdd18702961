import { appendFileSync } from 'node:fs';

/** The size of a suite: small in ordinary runs, and as `GATEHOUSE_TEST_…` says for measurements. */
export const scaleOf = (name: 'EVENTS' | 'EXPORTED' | 'MOVED' | 'KILLS', usual: number): number =>
  Number(process.env[`GATEHOUSE_TEST_${name}`] ?? usual);

/** Appends a measurement to the file named by `GATEHOUSE_TEST_FIGURES`, if any. */
export function noteFigure(what: string, figure: unknown): void {
  const path = process.env['GATEHOUSE_TEST_FIGURES'];
  if (path) appendFileSync(path, `${what}: ${JSON.stringify(figure)}\n`);
}
