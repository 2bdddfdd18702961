import { describe, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { findProgram } from './programs.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_APPLICATION = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** CHROME_PATH, else an installed Chromium or Chrome, else null. */
export function findChrome(): string | null {
  const given = process.env['CHROME_PATH'];
  if (given) return given;
  for (const name of NAMES) {
    const path = findProgram(name);
    if (path) return path;
  }
  return existsSync(MAC_APPLICATION) ? MAC_APPLICATION : null;
}

/** Tests that drive a browser: skipped on a machine without one, failed in CI, where one must be there. */
export function describeWithChrome(name: string, define: (chromePath: string) => void): void {
  const chrome = findChrome();
  if (chrome) {
    describe(name, () => define(chrome));
  } else if (process.env['CI']) {
    test(name, () => {
      throw new Error('CI needs a browser: install chromium or set CHROME_PATH.');
    });
  } else {
    describe.skip(name, () => define(''));
  }
}
