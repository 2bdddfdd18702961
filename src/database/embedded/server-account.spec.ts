import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isReachableBy } from './server-account.js';

describe('whether an account reaches a path', () => {
  const folder = mkdtempSync(join(tmpdir(), 'server-account-'));
  const stranger = { uid: 65534, gid: 65534 };
  const inner = join(folder, 'inner');
  const file = join(inner, 'postgres');

  beforeAll(() => {
    mkdirSync(inner);
    writeFileSync(file, '', { mode: 0o755 });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const modes = (outer: number, middle: number, leaf: number): void => {
    chmodSync(folder, outer);
    chmodSync(inner, middle);
    chmodSync(file, leaf);
  };

  test('yes when every folder lets others pass and the file lets them read and run', () => {
    modes(0o711, 0o755, 0o755);
    expect(isReachableBy(stranger, file)).toBe(true);
  });

  test.each([
    ['a private folder anywhere above', 0o700, 0o755, 0o755],
    ['a private folder just above', 0o755, 0o700, 0o755],
    ['a file only its owner may read', 0o755, 0o755, 0o700],
    ['a file others may run but not read', 0o755, 0o755, 0o711],
  ])('no with %s', (_case, outer, middle, leaf) => {
    modes(outer, middle, leaf);
    expect(isReachableBy(stranger, file)).toBe(false);
  });

  test('the owner and the group are judged by their own bits', () => {
    modes(0o755, 0o755, 0o750);
    const { uid, gid } = statSync(file);
    expect(isReachableBy({ uid, gid: 65534 }, file)).toBe(true);
    expect(isReachableBy({ uid: 65534, gid }, file)).toBe(true);
    expect(isReachableBy(stranger, file)).toBe(false);
  });
});
