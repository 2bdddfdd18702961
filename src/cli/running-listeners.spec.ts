import { afterAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { announceListener, findListener } from './running-listeners.js';

describe('a listener', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-listeners-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const listener = { environmentId: 'e', url: 'http://localhost:4000/', hasOwnSecret: false };

  it('is found by its environment as long as it runs', () => {
    expect(findListener(folder, 'e')).toBeNull();
    const done = announceListener(folder, listener);
    expect(findListener(folder, 'e')).toEqual(listener);
    expect(findListener(folder, 'other')).toBeNull();
    done();
    expect(findListener(folder, 'e')).toBeNull();
  });

  it('whose process was killed, or that wrote nothing readable, is none', () => {
    mkdirSync(join(folder, 'listening'), { recursive: true });
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(join(folder, 'listening', `${pid}.json`), JSON.stringify(listener));
    writeFileSync(join(folder, 'listening', `${process.pid}.json`), '{');
    expect(findListener(folder, 'e')).toBeNull();
  });

  it('that cannot say so listens all the same', () => {
    expect(() => announceListener('/dev/null/nowhere', listener)()).not.toThrow();
  });
});
