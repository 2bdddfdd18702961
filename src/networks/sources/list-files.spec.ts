import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config } from '../../config/index.js';
import { assertListFiles } from './list-files.js';

const NAMES = ['TOKEN_LISTS', 'SCAN_BLOCK_LISTS', 'SCAN_ALLOW_LISTS'] as const;

describe('lists that a setting names', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-lists-'));
    writeFileSync(join(folder, 'list.json'), '{}');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const start = (settings: Record<string, string>): Promise<void> => assertListFiles(Config.load(settings), NAMES);

  it('are addresses, or files that are there', async () => {
    const good = `https://lists.example/a?key=b,${join(folder, 'list.json')}`;
    await expect(start({ TOKEN_LISTS: good, SCAN_BLOCK_LISTS: good, SCAN_ALLOW_LISTS: good })).resolves.toBeUndefined();
  });

  it.each(NAMES)('stop an instance that would look for them in vain, and no worker: %s', async (name) => {
    for (const wrong of [join(folder, 'none.json'), folder, 'htps://lists.example/?key=of-a-test']) {
      const settings = { [name]: `${join(folder, 'list.json')},${wrong}` };
      await expect(start(settings)).rejects.toThrow(new RegExp(`^${name}: entry 2 must be (?!.*of-a-test)`));
      await expect(start({ ...settings, ROLE: 'worker' })).resolves.toBeUndefined();
    }
  });
});
