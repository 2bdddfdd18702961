import type { webcrypto } from 'node:crypto';
import { hkdf } from '@noble/hashes/hkdf.js';
import { scryptAsync } from '@noble/hashes/scrypt.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { addressOf, CHAINS_OF_CURVE } from './addresses.js';
import { exactly, fromBase64url, fromHex, joined, toBase64url, utf8 } from './encoding.js';
import { assertSplitShare, evmAddressOf } from './split/split-key.js';
import { curveOfPoints, frostPublic, identifierOf, suiteOf, type ShareSet } from './shares.js';

/**
 * RFC 7914, with 128 MiB: passwords are weak, so each guess should cost as much as a device can bear. Argon2id would be
 * preferable, but its 64-bit arithmetic is too slow in JavaScript.
 */
const SCRYPT = { N: 131_072, r: 8, p: 1 } as const;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const KEY_BYTES = 32;
/** The service's size limit. */
const MAX_LENGTH = 4_096;

/** The key of a backup: a password, or a 32-byte secret such as a passkey's PRF output. */
export type BackupLock = { readonly password: string } | { readonly secret: Uint8Array };

/** The backup was encrypted under another lock, or was modified. */
export class WrongLock extends Error {
  override readonly name = 'WrongLock';
}

interface Sealed {
  readonly v: 1;
  readonly kdf: 'scrypt' | 'hkdf-sha256';
  readonly salt: string;
  readonly nonce: string;
  readonly walletId: string;
  readonly ciphertext: string;
}

/**
 * Encrypts a wallet's shares with AES-256-GCM for storage elsewhere.
 *
 * @param participants whose shares to include; by default all available ones
 */
export async function sealBackup(
  shares: ShareSet,
  lock: BackupLock,
  participants: readonly number[] = shares.secrets.map(({ id }) => id),
): Promise<string> {
  const secrets = shares.secrets.filter(({ id }) => participants.includes(id));
  if (secrets.length === 0) throw new Error('There is no share to back up.');
  // Such as that of a form not yet filled in. Anyone who finds the copy would open it.
  if ('password' in lock && lock.password === '') throw new Error('The password of a backup is empty.');
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)];
  const { walletId } = shares;
  const kdf = 'password' in lock ? 'scrypt' : 'hkdf-sha256';
  const plaintext = utf8(JSON.stringify({ ...shares, secrets }));
  const key = await keyOf(lock, salt);
  const sealed = await crypto.subtle.encrypt(gcm(nonce, walletId), key, exactly(plaintext));
  const ciphertext = toBase64url(new Uint8Array(sealed));
  const text = { v: 1, kdf, salt: toBase64url(salt), nonce: toBase64url(nonce), walletId, ciphertext } satisfies Sealed;
  const backup = JSON.stringify(text);
  if (backup.length > MAX_LENGTH) throw new Error('The backup is longer than the service takes.');
  return backup;
}

/**
 * Decrypts a backup; each share is verified against the public share of its participant.
 *
 * @throws WrongLock, Error for shares that do not belong to the wallet
 */
export async function openBackup(backup: string, lock: BackupLock): Promise<ShareSet> {
  const { v, kdf, salt, nonce, walletId, ciphertext } = JSON.parse(backup) as Sealed;
  if (v !== 1) throw new Error('The backup has a form that this version does not know.');
  if (kdf !== ('password' in lock ? 'scrypt' : 'hkdf-sha256')) throw new WrongLock('The backup has another lock.');
  const key = await keyOf(lock, fromBase64url(salt));
  const opened = await crypto.subtle
    .decrypt(gcm(fromBase64url(nonce), walletId), key, exactly(fromBase64url(ciphertext)))
    .catch(() => {
      throw new WrongLock('The backup does not open.');
    });
  const shares = JSON.parse(new TextDecoder().decode(opened)) as ShareSet;
  if (shares.walletId !== walletId) throw new Error('The backup is of another wallet.');
  assertOfTheKey(shares);
  return shares;
}

/** Merges shares of one key from several backups, once per participant. @throws Error for different keys */
export function joinShares(parts: readonly ShareSet[]): ShareSet {
  const [first] = parts;
  if (!first) throw new Error('There is nothing to join.');
  const shown = JSON.stringify(first.publicShares);
  if (parts.some(({ publicShares }) => JSON.stringify(publicShares) !== shown)) {
    throw new Error('The backups are of different keys, or of different generations of one.');
  }
  const secrets = new Map(parts.flatMap((part) => part.secrets).map((secret) => [secret.id, secret]));
  return { ...first, secrets: [...secrets.values()].sort((a, b) => a.id - b.id) };
}

function assertOfTheKey({ address, publicShares, secrets }: ShareSet): void {
  const publicKey = publicShares.commitments[0]!;
  const curve = curveOfPoints(publicShares.commitments);
  // secp256k1 keys are shared by FROST for Taproot and split for EVM: the address shows which.
  if (curve === 'secp256k1' && evmAddressOf(publicKey) === address) {
    for (const share of secrets) assertSplitShare(publicShares, share);
    return;
  }
  const isAddress = CHAINS_OF_CURVE[curve].some((chain) => addressOf(chain, publicKey) === address);
  if (!isAddress) throw new Error('The backup has the shares of another address.');
  for (const { id, share } of secrets) {
    const secret = { identifier: identifierOf(curve, id), signingShare: fromHex(share) };
    suiteOf(curve).frost.validateSecret(secret, frostPublic(publicShares));
  }
}

async function keyOf(lock: BackupLock, salt: Uint8Array): Promise<webcrypto.CryptoKey> {
  const bytes =
    'password' in lock
      ? await scryptAsync(utf8(lock.password.normalize('NFKC')), salt, { ...SCRYPT, dkLen: KEY_BYTES })
      : hkdf(sha256, secretOf(lock.secret), salt, utf8('gatehouse/backup/v1'), KEY_BYTES);
  return crypto.subtle.importKey('raw', exactly(bytes), 'AES-GCM', false, ['encrypt', 'decrypt']);
}

function secretOf(secret: Uint8Array): Uint8Array {
  if (secret.length < KEY_BYTES) throw new Error('The secret of a backup has 32 bytes at least.');
  return secret;
}

const gcm = (nonce: Uint8Array, walletId: string) => ({
  name: 'AES-GCM',
  iv: exactly(nonce),
  additionalData: exactly(joined(utf8('gatehouse/backup/v1|'), utf8(walletId))),
});

const randomBytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));
