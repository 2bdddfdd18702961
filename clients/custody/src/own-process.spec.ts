import { duplexPair } from 'node:stream';
import { afterAll, describe, expect, it } from '@jest/globals';
import { base58 } from '@scure/base';
import { ed25519Verify } from '../../../src/custody/derivation/ed25519-key.js';
import { LocalWalletSigner } from '../../../src/custody/signer/local-wallet-signer.js';
import { KeptSigner } from '../../../src/custody/signer/process/kept-signer.js';
import { serveSigner } from '../../../src/custody/signer/process/serve-signer.js';
import { SignerLink } from '../../../src/custody/signer/process/signer-link.js';
import { remotePort } from '../../../src/custody/signer/process/signer-operations.js';
import { SeedVault } from '../../../src/custody/signer/seed-vault.js';
import { CeremonyFault } from '../../../src/custody/threshold/ceremony-fault.js';
import { publicKeyOf, type PublicShares } from '../../../src/custody/threshold/frost.js';
import { serverParties } from '../../../src/custody/threshold/schemes.js';
import { SplitSigner } from '../../../src/custody/split/split-signer.js';
import { ThresholdSigner } from '../../../src/custody/threshold/threshold-signer.js';
import { parseKeygenShares, parseReshareShares, parseSigningShares } from '../../../src/custody/threshold/wire.js';
import type { EnvironmentId } from '../../../src/database/index.js';
import { Envelope, generateMasterKey, parseKeyRing } from '../../../src/vault/index.js';
import { KeyGeneration, Resharing, signingShares, type ShareSet } from './index.js';

const ROOM = {
  environmentId: '018f2b7c-0000-7000-8000-000000000001' as EnvironmentId,
  roomId: '018f2b7c-0000-7000-8000-000000000002',
};
const CEREMONY = { ...ROOM, userId: '018f2b7c-0000-7000-8000-000000000003' };
const KEYS_ID = '018f2b7c-0000-7000-8000-000000000004';
const TEXT = Buffer.from('I agree.');

type Scheme = 'TWO_OF_TWO' | 'TWO_OF_THREE' | 'THREE_OF_FIVE';

/** Both sides of a key: the device's, and what the service has stored. */
interface Key {
  readonly device: ShareSet;
  readonly shown: PublicShares;
  readonly sealed: Buffer;
}

const asJson = <T>(value: T): Record<string, unknown> => JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
const decoded = (keygenIds: readonly string[]): Uint8Array[] => keygenIds.map((id) => base58.decode(id));
const stored = ({ sealed, shown }: Key) => ({
  ...CEREMONY,
  protocol: 'FROST' as const,
  keysId: KEYS_ID,
  sealed,
  shares: shown,
});

const CURVE = 'ed25519';

describe('shares of a key that the service opens in a process of their own', () => {
  const envelope = new Envelope(parseKeyRing(generateMasterKey()));
  const [near, other] = duplexPair();
  const complaints: string[] = [];
  const signers = {
    wallet: new LocalWalletSigner(new SeedVault(envelope)),
    threshold: new ThresholdSigner(envelope),
    split: new SplitSigner(envelope),
  };
  serveSigner(other, signers, (line) => complaints.push(line));
  const kept = new KeptSigner(
    () => Promise.resolve(new SignerLink(near)),
    () => undefined,
  );
  const signer = remotePort('threshold', kept);
  afterAll(() => kept.close());

  async function generated(scheme: Scheme): Promise<Key> {
    const begun = await signer.beginKeygen(CEREMONY, { curve: CURVE, scheme });
    const device = await KeyGeneration.begin(scheme, 'SVM');
    const sent = parseKeygenShares(asJson(await device.respond(ROOM, { packages: begun.packages }, begun.keygenIds)));
    const terms = { curve: CURVE, scheme, clientKeys: decoded(device.keygenIds) } as const;
    const made = await signer.makeKey(CEREMONY, begun.state.sealed, terms, sent);
    const publicKey = publicKeyOf(made.public);
    const { shares: dealt, commitments } = made;
    const said = {
      shares: dealt,
      commitments,
      publicKey: publicKey.toString('hex'),
      address: base58.encode(publicKey),
    };
    const { shares, proof } = await device.finish(ROOM, { ...said, walletId: 'w' });
    const message = Buffer.from(`gatehouse/keygen-proof/v1|${ROOM.roomId}|${said.publicKey}`);
    const shown = { message, sent: parseSigningShares(asJson(proof)) };
    const proved = await signer.proveKey(CEREMONY, made.state.sealed, KEYS_ID, shown);
    expect(ed25519Verify(message, publicKey, proved.signature)).toBe(true);
    return { device: shares, shown: proved.public, sealed: proved.kept.sealed };
  }

  async function reshared(key: Key, { from, to }: { from: Scheme; to: Scheme }): Promise<Key> {
    const begun = await signer.beginReshare(CEREMONY, stored(key), { from, to });
    const device = await Resharing.begin(key.device, to);
    const opening = { generation: 1, scheme: to, packages: begun.packages };
    const receivers = begun.keygenIds.slice(0, serverParties(to).length);
    const sent = parseReshareShares(asJson(await device.respond(ROOM, opening, receivers)));
    const terms = { scheme: to, clientKeys: decoded(sent.keygenIds) };
    const made = await signer.shareAnew(CEREMONY, begun.state.sealed, stored(key), terms, sent);
    const { shares: dealt, commitments } = made;
    const publicKey = publicKeyOf(made.public).toString('hex');
    const { shares, proof, text } = await device.finish(ROOM, { generation: 2, shares: dealt, commitments, publicKey });
    const shown = { message: text, sent: parseSigningShares(asJson(proof)) };
    const proved = await signer.proveKey(CEREMONY, made.state.sealed, KEYS_ID, shown);
    return { device: shares, shown: proved.public, sealed: proved.kept.sealed };
  }

  async function signed(key: Key): Promise<boolean> {
    const begun = await signer.beginSigning(CEREMONY, stored(key), TEXT);
    const sent = parseSigningShares(asJson(signingShares(key.device, begun.commitments, TEXT, [1])));
    const made = await signer.sign(CEREMONY, begun.state.sealed, stored(key), { message: TEXT, sent });
    return ed25519Verify(TEXT, publicKeyOf(key.shown), made.signature);
  }

  it.each([
    ['TWO_OF_TWO', 'TWO_OF_THREE'],
    ['TWO_OF_THREE', 'TWO_OF_THREE'],
    ['THREE_OF_FIVE', 'TWO_OF_TWO'],
  ] as const)('are made by %s, sign, are made anew by %s and sign again, for the same key', async (from, to) => {
    const key = await generated(from);
    expect(await signed(key)).toBe(true);
    const next = await reshared(key, { from, to });
    expect(publicKeyOf(next.shown)).toEqual(publicKeyOf(key.shown));
    expect(await signed(next)).toBe(true);
    expect(await signer.rewrapShares('FROST', stored(next))).toBeNull();
    expect(complaints).toEqual([]);
  });

  it('are refused with the participant who is not right, as in one process', async () => {
    const key = await generated('TWO_OF_TWO');
    const message = Buffer.from('I do not agree.');
    const begun = await signer.beginSigning(CEREMONY, stored(key), message);
    const sent = parseSigningShares(asJson(signingShares(key.device, begun.commitments, TEXT, [1])));
    const refused = signer.sign(CEREMONY, begun.state.sealed, stored(key), { message, sent });
    await expect(refused).rejects.toMatchObject({ name: 'CeremonyFault', party: 1 });
    await expect(refused).rejects.toBeInstanceOf(CeremonyFault);
  });

  it('sign the message that their nonces were made for, and no other that takes its place', async () => {
    const key = await generated('TWO_OF_TWO');
    const other = Buffer.from('I do not agree.');
    const begun = await signer.beginSigning(CEREMONY, stored(key), TEXT);
    const sent = parseSigningShares(asJson(signingShares(key.device, begun.commitments, other, [1])));
    await expect(
      signer.sign(CEREMONY, begun.state.sealed, stored(key), { message: other, sent }),
    ).rejects.not.toBeInstanceOf(CeremonyFault);
    expect(complaints.splice(0)).toHaveLength(1);
  });
});
