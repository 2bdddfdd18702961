import { createPrivateKey } from 'node:crypto';
import { base58, bech32, createBase58check } from '@scure/base';
import { sha256 } from '@noble/hashes/sha2.js';
import { mnemonicToSeedSync } from '@scure/bip39';
import { Envelope, parseKeyRing, type SealContext } from '../../src/vault/index.js';
import { withClient } from './postgres.js';
import type { SecretScanner } from './secret-scanner.js';
import { accountsOf, openEntropy, phraseOf, storedSeeds } from './wallet-keys.js';

/** This many consecutive words of a mnemonic do not occur by chance. */
const WORDS_IN_A_ROW = 4;

interface SealedRow {
  environmentId: string;
  id: string;
  sealed: Buffer;
}

/** Decrypts everything sealed in a database and adds it to the scanner, with the master keys themselves. */
export async function addSealedSecrets(scanner: SecretScanner, databaseUrl: string, masterKeys: string): Promise<void> {
  for (const [at, entry] of masterKeys.split(',').entries()) {
    scanner.add(`master key ${at}`, Buffer.from(entry.slice(entry.indexOf(':') + 1), 'base64'));
  }
  await addSeeds(scanner, databaseUrl, masterKeys);
  const open = async (row: SealedRow, context: Pick<SealContext, 'purpose' | 'kind'>): Promise<Buffer> => {
    const { environmentId, id: subjectId } = row;
    const envelope = new Envelope(parseKeyRing(masterKeys));
    return Buffer.from((await envelope.open(row.sealed, { ...context, environmentId, subjectId })).expose());
  };
  for (const row of await sealedRows(databaseUrl, 'signing_keys', 'sealed_private_key')) {
    addRsaKey(scanner, `signing key ${row.id}`, await open(row, { purpose: 'signing-key', kind: 'rsa-private' }));
  }
  for (const row of await sealedRows(databaseUrl, 'webhooks', 'sealed_secret')) {
    const text = (await open(row, { purpose: 'webhook', kind: 'signing-secret' })).toString();
    scanner.add(`webhook secret ${row.id}`, text);
    scanner.add(`webhook secret bytes ${row.id}`, Buffer.from(text.replace('whsec_', ''), 'base64'));
  }
  for (const { name, ...row } of await namedSecrets(databaseUrl)) {
    const text = (await open(row, { purpose: 'environment-secret', kind: name })).toString();
    // Six digits occur by chance.
    if (text.length > 6) scanner.add(`environment secret ${name}`, text);
  }
  const [pepper] = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string; sealed: Buffer }>(
      'SELECT name AS id, sealed FROM service_secrets',
    );
    return rows.map((row) => ({ ...row, environmentId: '00000000-0000-0000-0000-000000000000' }));
  });
  scanner.add('pepper', await open(pepper!, { purpose: 'service-secret', kind: 'pepper' }));
}

async function addSeeds(scanner: SecretScanner, databaseUrl: string, masterKeys: string): Promise<void> {
  for (const stored of await storedSeeds(databaseUrl)) {
    const entropy = await openEntropy(parseKeyRing(masterKeys), stored);
    const words = phraseOf(entropy).split(' ');
    scanner.add(`entropy ${stored.id}`, entropy);
    scanner.add(`seed ${stored.id}`, mnemonicToSeedSync(words.join(' ')));
    for (let at = 0; at + WORDS_IN_A_ROW <= words.length; at++) {
      const row = words.slice(at, at + WORDS_IN_A_ROW);
      for (const joint of [' ', ',', '","']) scanner.add(`phrase ${stored.id}`, row.join(joint));
    }
    for (const { chain, privateKey, publicKey } of await accountsOf(entropy)) {
      scanner.add(`${chain} key ${stored.id}`, privateKey);
      const form = walletFormOf(chain, privateKey, publicKey);
      if (form) scanner.add(`${chain} key of wallets ${stored.id}`, form);
    }
  }
}

/** The format in which a chain's wallets import a private key. */
function walletFormOf(chain: string, privateKey: Buffer, publicKey: Buffer): string | null {
  switch (chain) {
    case 'SOL':
      return base58.encode(Buffer.concat([privateKey, publicKey]));
    case 'SUI':
      return bech32.encodeFromBytes('suiprivkey', Buffer.concat([Buffer.of(0), privateKey]));
    case 'BTC':
      return createBase58check(sha256).encode(Buffer.concat([Buffer.of(0x80), privateKey, Buffer.of(1)]));
    default:
      return null;
  }
}

/** The whole key and each of its integers (RFC 7518 §6.3.2). */
function addRsaKey(scanner: SecretScanner, name: string, der: Buffer): void {
  scanner.add(name, der);
  const numbers = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' });
  for (const part of ['d', 'p', 'q', 'dp', 'dq', 'qi'] as const) {
    scanner.add(`${name}, ${part}`, Buffer.from(numbers[part]!, 'base64url'));
  }
}

function sealedRows(databaseUrl: string, table: string, column: string): Promise<SealedRow[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<SealedRow>(
      `SELECT environment_id AS "environmentId", id, ${column} AS sealed FROM ${table}`,
    );
    return rows;
  });
}

/** Secrets of environments, sealed for the environment and a name. */
function namedSecrets(databaseUrl: string): Promise<(SealedRow & { name: string })[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<SealedRow & { name: string }>(
      `SELECT environment_id AS "environmentId", environment_id AS id, name, sealed_value AS sealed
       FROM environment_secrets`,
    );
    return rows;
  });
}
