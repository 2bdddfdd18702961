import { fail, ok, type Finding } from '../finding.js';

const LEAST = 24;

export function checkNodeVersion(version: string): Finding {
  return Number(version.split('.')[0]) >= LEAST
    ? ok(version)
    : fail(`${version}, and ${LEAST} is needed`, 'run through npm, which brings its own: npm run doctor');
}
