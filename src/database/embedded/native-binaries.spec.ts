import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.errors.js';
import { locateNative, prepareNative, program } from './native-binaries.js';

let folder: string;
let native: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'native-binaries-'));
  native = join(folder, 'package/native');
  mkdirSync(join(native, 'bin'), { recursive: true });
  mkdirSync(join(native, 'lib'));
  writeFileSync(join(folder, 'package/package.json'), '{"version":"18.4.0"}');
  for (const name of ['initdb', 'pg_ctl', 'postgres']) writeFileSync(program(native, name), '', { mode: 0o644 });
  writeFileSync(join(native, 'lib/libpq.so.5.18'), 'library', { mode: 0o600 });
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
  writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(links));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the binaries of this platform are found', () => {
  expect(existsSync(program(locateNative(), 'postgres'))).toBe(true);
});

test('a missing optional dependency is one line that names DATABASE_URL', () => {
  const find = (): string => locateNative(join(folder, 'index.js'));
  expect(find).toThrow(EmbeddedPostgresError);
  expect(find).toThrow(/^the built-in PostgreSQL for \S+ is not installed; set DATABASE_URL [^\n]+$/);
});

test('an install without scripts gets its library links and its executable bits', () => {
  expect(prepareNative(native, null, join(folder, 'copies'))).toBe(native);
  expect(readlinkSync(join(native, 'lib/libpq.so.5'))).toBe('libpq.so.5.18');
  expect(statSync(program(native, 'postgres')).mode & 0o777).toBe(0o755);
  expect(prepareNative(native, null, join(folder, 'copies'))).toBe(native);
});

test('an install that can neither be completed nor copied is one line, and no half copy stays', () => {
  // A file where the library folder should be refuses the link to root as well.
  rmSync(join(native, 'lib'), { recursive: true });
  writeFileSync(join(native, 'lib'), '');
  expect(() => prepareNative(native, null, join(folder, 'copies'))).toThrow(/cannot be used from there nor copied/);
  expect(readdirSync(join(folder, 'copies'))).toEqual([]);
});

test('an account that may not enter the folder is served from a copy that it may read', () => {
  chmodSync(folder, 0o700);
  const account = { uid: 65534, gid: 65534 };
  const copies = mkdtempSync(join(tmpdir(), 'native-copies-'));
  try {
    const copy = prepareNative(native, account, copies);
    expect(copy).toBe(join(copies, 'postgres-18.4.0/native'));
    expect(statSync(join(copy, 'lib/libpq.so.5.18')).mode & 0o777).toBe(0o644);
    expect(lstatSync(join(copy, 'lib/libpq.so.5')).isSymbolicLink()).toBe(true);
    expect(existsSync(join(native, 'lib/libpq.so.5'))).toBe(false);
    rmSync(native, { recursive: true });
    mkdirSync(join(native, 'bin'), { recursive: true });
    for (const name of ['initdb', 'pg_ctl', 'postgres']) writeFileSync(program(native, name), '');
    expect(prepareNative(native, account, copies)).toBe(copy);
  } finally {
    rmSync(copies, { recursive: true, force: true });
  }
});
