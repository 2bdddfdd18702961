import { causeOf, fail, type Finding } from './finding.js';

export interface Check {
  /** One or two words. */
  what: string;
  run: () => Finding | Promise<Finding>;
}

const STATE_WIDTH = 4;

export function lineOf(what: string, { state, meaning, fix }: Finding, width: number): string {
  return [state.padEnd(STATE_WIDTH), what.padEnd(width), meaning, ...(fix ? [`fix: ${fix}`] : [])].join('  ');
}

/**
 * Runs checks in sequence and prints the line of each as soon as it is done.
 *
 * @returns the exit code: 1 when any failed
 */
export async function report(checks: readonly Check[], print: (line: string) => void): Promise<0 | 1> {
  const width = Math.max(...checks.map(({ what }) => what.length));
  let status: 0 | 1 = 0;
  for (const { what, run } of checks) {
    const finding = await settle(run);
    if (finding.state === 'fail') status = 1;
    print(lineOf(what, finding, width));
  }
  return status;
}

async function settle(run: Check['run']): Promise<Finding> {
  try {
    return await run();
  } catch (error) {
    return fail(`the check itself failed (${causeOf(error)})`, 'see the log of the service');
  }
}
