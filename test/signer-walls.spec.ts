import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packagesOf } from './support/architecture/import-edges.js';
import { reachOf } from './support/architecture/reach.js';
import { contextOf, readSources, virtual, type SourceFile } from './support/architecture/source-file.js';

const ENTRY = 'src/custody/signer/main.ts';
/** What settings, vaults and keys need. */
const ALLOWED = new Set(['common', 'config', 'vault', 'custody', 'outbound']);
/** The way to AWS KMS or HashiCorp Vault, where KEY_VAULT names one, and the signatures that the former wants. */
const TO_VAULTS = new Set(['src/vault/remote/vault-link.ts', 'src/vault/aws-kms/kms-client.ts']);
/** The way to sealed keys, where SIGNER_DATABASE_URL gives it a role: loaded by nobody but the program, and when it is. */
const TO_ROWS = 'src/custody/signer/rows/sealed-rows.repository.ts';

const strangers = (files: readonly SourceFile[]): string[] =>
  reachOf(ENTRY, files).flatMap(({ from, to, deferred }) => {
    const [here, there] = [contextOf(from.path), contextOf(to)];
    const isOut = there === 'outbound' && here !== 'outbound' && !TO_VAULTS.has(from.path);
    const isForeign = there === null || !ALLOWED.has(there);
    const isAtOnce = to === TO_ROWS && !(deferred && from.path === ENTRY);
    return isOut || isForeign || isAtOnce ? [`${from.path} -> ${to}`] : [];
  });

/** What speaks to a database, a queue or a network, or starts what does, with the files that may load it. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  pg: [TO_ROWS],
  // Its own sockets: that of its parent, and the one that it listens on. Settings ask what an address looks like.
  'node:net': [
    ...[ENTRY, 'src/custody/signer/process/signer-socket.ts'],
    ...['src/config/setting.ts', 'src/config/addresses.ts'],
  ],
  // Of the code by which an instance starts it, in whose module the number of its channel stands.
  'node:child_process': ['src/custody/signer/process/child-signer.ts'],
};
const SPEAKS =
  /^(?:pg|pg-[\w-]+|postgres|typeorm|ioredis|bull|redis|undici|nodemailer|axios|@nestjs\/(?:typeorm|bull))$|^(?:node:)?(?:net|tls|http|https|http2|dgram|dns|cluster|worker_threads|child_process)(?:\/|$)/;

const ways = (files: readonly SourceFile[]): string[] => {
  const reached = new Set([ENTRY, ...reachOf(ENTRY, files).map(({ to }) => to)]);
  return files
    .filter(({ path }) => reached.has(path) && contextOf(path) !== 'outbound')
    .flatMap((file) => packagesOf(file).map((name) => ({ name, path: file.path })))
    .filter(({ name, path }) => SPEAKS.test(name) && !WAYS[name]?.includes(path))
    .map(({ name, path }) => `${path} -> ${name}`);
};

describe('the program that opens keys', () => {
  const sources = readSources(resolve(import.meta.dirname, '..'), 'src');

  it('has no queue or server, and no way out but to the vault that keeps its master key and to sealed rows', () => {
    expect(reachOf(ENTRY, sources).length).toBeGreaterThan(50);
    expect(strangers(sources)).toEqual([]);
  });

  it('loads nothing that speaks to a database or a network anywhere else', () => {
    expect(ways(sources)).toEqual([]);
    expect(sources.find(({ path }) => path === TO_ROWS)).toBeDefined();
  });

  it('would be found to have one: a module that reaches further', () => {
    const files = virtual({
      [ENTRY]: "import './a.js';\nimport type { X } from '../../database/index.js';",
      'src/custody/signer/a.ts': "import '../../outbound/index.js';\nimport '../../database/index.js';",
      'src/outbound/index.ts': '',
      'src/database/index.ts': '',
    });
    expect(strangers(files)).toEqual([
      'src/custody/signer/a.ts -> src/outbound/index.ts',
      'src/custody/signer/a.ts -> src/database/index.ts',
    ]);
  });

  it('would be found to have one: rows that are loaded with the program, a second way to them, or to a network', () => {
    const files = virtual({
      [ENTRY]: "import './a.js';\nimport './rows/sealed-rows.repository.js';\nimport type pg from 'pg';",
      'src/custody/signer/a.ts':
        "import pg from 'pg';\nimport { request } from 'node:http';\nawait import('undici');\nimport('./rows/sealed-rows.repository.js');",
      [TO_ROWS]: "import pg from 'pg';",
      'src/custody/signer/never-loaded.ts': "import pg from 'pg';",
    });
    expect(strangers(files)).toEqual([`${ENTRY} -> ${TO_ROWS}`, `src/custody/signer/a.ts -> ${TO_ROWS}`]);
    expect(ways(files)).toEqual([
      'src/custody/signer/a.ts -> pg',
      'src/custody/signer/a.ts -> node:http',
      'src/custody/signer/a.ts -> undici',
    ]);
  });
});
