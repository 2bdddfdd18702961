import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './program.js';

/** Compiles the service into `dist`. @throws with the compiler's output */
export async function buildService(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/build.js')], { cwd: ROOT });
}
