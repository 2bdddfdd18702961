import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ed25519_FROST } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { fromHex, toHex } from './encoding.js';
import { identifierOf, shownShares } from './shares.js';
import {
  httpBackups,
  joinShares,
  openBackup,
  recoverShares,
  sealBackup,
  signingShares,
  WrongLock,
  type Backups,
  type ShareSet,
  type StoredBackup,
} from './index.js';

const WALLET = '018f2b7c-0000-7000-8000-000000000003';
const PASSWORD = { password: 'correct horse battery staple' };
const SECRET = { secret: new Uint8Array(createHash('sha256').update('a passkey').digest()) };

/** Shares of a key of two of three: the user's participants, and that of the service. */
function deal(): { user: ShareSet; service: ShareSet } {
  const made = ed25519_FROST.trustedDealer({ min: 2, max: 3 });
  const publicShares = shownShares('ed25519', made.public);
  const address = base58.encode(fromHex(publicShares.commitments[0]!));
  const secrets = [1, 2, 3].map((id) => ({
    id,
    share: toHex(made.secretShares[identifierOf('ed25519', id)]!.signingShare),
  }));
  const common = { walletId: WALLET, address, publicShares };
  return { user: { ...common, secrets: secrets.slice(0, 2) }, service: { ...common, secrets: secrets.slice(2) } };
}

describe('a backup of shares', () => {
  const { user, service } = deal();
  let underPassword: string;

  beforeAll(async () => {
    underPassword = await sealBackup(user, PASSWORD, [2]);
  }, 180_000);

  it('opens under its password, and has the share of the participant that was asked for', async () => {
    const opened = await openBackup(underPassword, PASSWORD);
    expect(opened).toEqual({ ...user, secrets: [user.secrets[1]] });
    expect(underPassword.length).toBeLessThan(4_096);
    expect(JSON.parse(underPassword)).toMatchObject({ v: 1, kdf: 'scrypt', walletId: WALLET });
    expect(underPassword).not.toContain(user.secrets[1]!.share);
  }, 180_000);

  it('does not open under another password or another kind of lock', async () => {
    await expect(openBackup(underPassword, { password: 'Correct horse battery staple' })).rejects.toThrow(WrongLock);
    await expect(openBackup(underPassword, SECRET)).rejects.toThrow(WrongLock);
  }, 180_000);

  it('is not made under an empty password', async () => {
    await expect(sealBackup(user, { password: '' })).rejects.toThrow('password of a backup is empty');
  }, 180_000);

  it('opens under the secret of a passkey, which has 32 bytes at least', async () => {
    const sealed = await sealBackup(user, SECRET);
    expect(await openBackup(sealed, SECRET)).toEqual(user);
    await expect(openBackup(sealed, { secret: new Uint8Array(32) })).rejects.toThrow(WrongLock);
    await expect(sealBackup(user, { secret: new Uint8Array(16) })).rejects.toThrow('32 bytes');
  });

  it('is refused when it was changed, or is said to be of another wallet', async () => {
    const sealed = await sealBackup(user, SECRET);
    const other = JSON.stringify({ ...(JSON.parse(sealed) as object), walletId: WALLET.replace(/3$/, '4') });
    await expect(openBackup(other, SECRET)).rejects.toThrow(WrongLock);
    const wrong = { ...user, secrets: [{ id: 1, share: user.secrets[1]!.share }] };
    await expect(openBackup(await sealBackup(wrong, SECRET), SECRET)).rejects.toThrow();
    const elsewhere = { ...user, address: deal().user.address };
    await expect(openBackup(await sealBackup(elsewhere, SECRET), SECRET)).rejects.toThrow('another address');
    await expect(sealBackup(user, SECRET, [3])).rejects.toThrow('no share');
  });

  it('is joined with others of the same key, and with those of no other', async () => {
    const parts = await Promise.all([[2], [1]].map((ids) => sealBackup(user, SECRET, ids)));
    const opened = await Promise.all(parts.map((part) => openBackup(part, SECRET)));
    expect(joinShares(opened)).toEqual(user);
    expect(() => joinShares([opened[0]!, deal().user])).toThrow('different keys');
  });

  it('is what a new device signs with, together with the service; without it nobody has enough shares', async () => {
    const stored: StoredBackup[] = [
      {
        id: WALLET,
        backupLocation: 'platform',
        passwordEncrypted: false,
        encryptedAccountCredential: await sealBackup(user, SECRET, [2]),
      },
      { id: WALLET, backupLocation: 'icloud', passwordEncrypted: false },
    ];
    const kept: Backups = { store: () => Promise.resolve([]), recover: () => Promise.resolve(stored) };
    const recovered = await recoverShares(kept, WALLET, SECRET);
    const message = new TextEncoder().encode('I agree.');
    const pair = { ...recovered, secrets: [...recovered.secrets, ...service.secrets] };
    const { commitments, shares } = signingShares(pair, [], message);
    expect(commitments.map(({ id }) => id)).toEqual([2, 3]);
    expect(shares).toHaveLength(2);
    expect(() => signingShares(service, [], message)).toThrow();
    await expect(recoverShares(kept, WALLET, PASSWORD)).rejects.toThrow('no copy');
  });

  it('is sent with the generation of its shares, so that the service can refuse an old one', async () => {
    const bodies: unknown[] = [];
    const send: typeof fetch = (_, init) => {
      bodies.push(JSON.parse(init!.body as string));
      return Promise.resolve(Response.json({ keyShares: [] }, { status: 201 }));
    };
    const backups = httpBackups({ baseUrl: 'http://localhost', environmentId: WALLET, token: 'token' }, send);
    await backups.store(user, ['a copy'], true);
    await backups.store({ ...user, generation: 2 }, ['a copy'], true);
    const sent = { encryptedAccountCredentials: ['a copy'], passwordEncrypted: true };
    expect(bodies).toEqual([
      { ...sent, generation: 1 },
      { ...sent, generation: 2 },
    ]);
  });
});
