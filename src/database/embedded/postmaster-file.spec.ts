import { afterAll, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findLastPort, findPostmaster, parsePostmasterFile } from './postmaster-file.js';

const folder = mkdtempSync(join(tmpdir(), 'postmaster-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const text = (pid: number, status: string): string =>
  [pid, '/proc/self/cwd', 1795201464, 54999, '', '127.0.0.1', ' 16039954         4', status, ''].join('\n');

describe('the file of a running server', () => {
  test('gives process, port and readiness', () => {
    expect(parsePostmasterFile(text(8499, 'ready   '))).toEqual({ pid: 8499, port: 54999, ready: true });
  });

  test.each(['starting', 'stopping', ''])('is not ready while its status is "%s"', (status) => {
    expect(parsePostmasterFile(text(8499, status))).toMatchObject({ ready: false });
  });

  test.each(['', '8499\n', '8499\n/data\n1795201464\n', '-1\n/data\n1\n5432\n', 'x\n/data\n1\n5432\n'])(
    'is no server when it is cut short or damaged: %j',
    (damaged) => {
      expect(parsePostmasterFile(damaged)).toBeNull();
    },
  );
});

describe('looking for the server of a folder', () => {
  const path = join(folder, 'postmaster.pid');

  test('finds none without a file', () => {
    expect(findPostmaster(folder)).toBeNull();
  });

  test('leaves the file of a dead process to PostgreSQL, which replaces it', async () => {
    const child = spawn(process.execPath, ['--version']);
    await new Promise((resolve) => child.once('exit', resolve));
    writeFileSync(path, text(child.pid ?? 0, 'ready'));
    expect(findPostmaster(folder)).toBeNull();
    expect(existsSync(path)).toBe(true);
  });

  test('removes a file whose process number now belongs to another program', () => {
    writeFileSync(path, text(process.pid, 'ready'));
    expect(findPostmaster(folder)).toBeNull();
    expect(existsSync(path)).toBe(false);
  });
});

test('the last port is read from the options of the last start', () => {
  expect(findLastPort(folder)).toBeNull();
  writeFileSync(join(folder, 'postmaster.opts'), '/x/bin/postgres "-D" "/data" "-p" "45639" "-c" "jit=off"\n');
  expect(findLastPort(folder)).toBe(45639);
});
