import { fail, ok, type Finding } from '../finding.js';

const LEAST = 24;

export function checkNodeVersion(version: string): Finding {
  return Number(version.split('.')[0]) >= LEAST
    ? ok(version)
    : fail(`${version}; ${LEAST} or newer is required`, 'use npm, which runs a bundled Node: npm run doctor');
}
