import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChrome } from './support/chrome.js';
import { findProgram } from './support/programs.js';

const folder = mkdtempSync(join(tmpdir(), 'programs-'));
const environment = { ...process.env };

beforeEach(() => {
  process.env['PATH'] = folder;
  delete process.env['CHROME_PATH'];
});
afterAll(() => {
  process.env = environment;
  rmSync(folder, { recursive: true, force: true });
});

test('a program is found on the PATH when it may be executed', () => {
  expect(findProgram('google-chrome')).toBeNull();
  writeFileSync(join(folder, 'google-chrome'), '', { mode: 0o644 });
  expect(findProgram('google-chrome')).toBeNull();
  writeFileSync(join(folder, 'chromium'), '', { mode: 0o755 });
  expect(findProgram('chromium')).toBe(join(folder, 'chromium'));
});

test('the browser of CHROME_PATH goes before one on the PATH', () => {
  expect(findChrome()).toBe(join(folder, 'chromium'));
  process.env['CHROME_PATH'] = '/opt/chrome';
  expect(findChrome()).toBe('/opt/chrome');
});
