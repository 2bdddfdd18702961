import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { reachOf } from './support/architecture/reach.js';
import { contextOf, readSources, virtual, type SourceFile } from './support/architecture/source-file.js';

const ENTRY = 'src/custody/signer/main.ts';
/** What settings, vaults and keys need. */
const ALLOWED = new Set(['common', 'config', 'vault', 'custody', 'outbound']);
/** The way to AWS KMS or HashiCorp Vault, where KEY_VAULT names one, and the signatures that the former wants. */
const TO_VAULTS = new Set(['src/vault/remote/vault-link.ts', 'src/vault/aws-kms/kms-client.ts']);

const strangers = (files: readonly SourceFile[]): string[] =>
  reachOf(ENTRY, files).flatMap(({ from, to }) => {
    const [here, there] = [contextOf(from.path), contextOf(to)];
    const isOut = there === 'outbound' && here !== 'outbound' && !TO_VAULTS.has(from.path);
    const isForeign = there === null || !ALLOWED.has(there);
    return isOut || isForeign ? [`${from.path} -> ${to}`] : [];
  });

describe('the program that opens keys', () => {
  const sources = readSources(resolve(import.meta.dirname, '..'), 'src');

  it('has no database, queue or server, and no way out but to the vault that keeps its master key', () => {
    expect(reachOf(ENTRY, sources).length).toBeGreaterThan(50);
    expect(strangers(sources)).toEqual([]);
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
});
