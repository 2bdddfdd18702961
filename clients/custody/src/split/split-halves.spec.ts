import { duplexPair } from 'node:stream';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseGwei, recoverMessageAddress, recoverTransactionAddress, recoverTypedDataAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { readSignable } from '../../../../src/custody/signing/read-signable.js';
import type { Signable } from '../../../../src/custody/signing/signable.js';
import { secp256k1Recovers } from '../../../../src/custody/derivation/secp256k1-key.js';
import { LocalWalletSigner } from '../../../../src/custody/signer/local-wallet-signer.js';
import { KeptSigner } from '../../../../src/custody/signer/process/kept-signer.js';
import { serveSigner } from '../../../../src/custody/signer/process/serve-signer.js';
import { SignerLink } from '../../../../src/custody/signer/process/signer-link.js';
import { remotePort } from '../../../../src/custody/signer/process/signer-operations.js';
import { SeedVault } from '../../../../src/custody/signer/seed-vault.js';
import { SplitSigner } from '../../../../src/custody/split/split-signer.js';
import { parseSplitDeal, parseSplitKey, parseSplitSignature } from '../../../../src/custody/split/split-wire.js';
import { publicKeyOf, type PublicShares, type SecretShare } from '../../../../src/custody/threshold/frost.js';
import { serverParties } from '../../../../src/custody/threshold/schemes.js';
import { sharesContext, ThresholdSigner } from '../../../../src/custody/threshold/threshold-signer.js';
import { parseReshareShares, parseSigningShares } from '../../../../src/custody/threshold/wire.js';
import type { NewlySealed } from '../../../../src/custody/signer/wallet-signer.js';
import { Envelope, generateMasterKey, parseKeyRing, type HpkeMessage } from '../../../../src/vault/index.js';
import { declaredEvmRequest } from '../../../../src/waas/ceremonies/declared-evm-request.js';
import { base58 } from '@scure/base';
import { toHex, utf8 } from '../encoding.js';
import type { Scheme } from '../key-generation.js';
import { Resharing } from '../resharing.js';
import type { Rooms } from '../rooms.js';
import { newReceiver, open } from '../sealing.js';
import { generationOf, type ShareSet } from '../shares.js';
import { createSplitWallet, joinExported, signSplit, SplitGeneration } from './split-wallet.js';
import { joinKey, messageDigest } from './split-key.js';
import { splitAccount } from './viem.js';

const [environmentId, userId, walletId, keysId, roomId] = [1, 2, 3, 4, 5].map(
  (at) => `018f2b7c-0000-7000-8000-00000000000${at}`,
) as [string, string, string, string, string];
const CEREMONY = { environmentId: environmentId as never, userId, roomId };
const TEXT = 'I agree.';

const asJson = (message: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify(message)) as Record<string, unknown>;
const told = (message: object) => [{ sequence: 1, sender: 'server' as const, message: asJson(message) }];

type SplitPort = Pick<SplitSigner, keyof SplitSigner>;
type ThresholdPort = Pick<ThresholdSigner, keyof ThresholdSigner>;

const envelope = new Envelope(parseKeyRing(generateMasterKey()));
const signers = {
  wallet: new LocalWalletSigner(new SeedVault(envelope)),
  threshold: new ThresholdSigner(envelope),
  split: new SplitSigner(envelope),
};
const [near, other] = duplexPair();
serveSigner(other, signers, () => undefined);
const elsewhere = new KeptSigner(
  () => Promise.resolve(new SignerLink(near)),
  () => undefined,
);

/** The service without its database. */
class Service {
  private taken: { kept: NewlySealed; public: PublicShares } | null = null;
  private state: NewlySealed | null = null;
  private signable: Signable | null = null;
  private generation = 1;

  constructor(
    private readonly signer: SplitPort,
    private readonly threshold: ThresholdPort,
  ) {}

  async make(scheme: Scheme, tamper: (message: Record<string, unknown>) => void = () => {}): Promise<ShareSet> {
    const { state, keygenIds } = await this.signer.beginKeygen(CEREMONY, scheme);
    const rooms: Rooms = {
      read: () => Promise.resolve(told({ type: 'split.keygen', scheme })),
      post: async (_, message) => {
        const sent = asJson(message);
        tamper(sent);
        this.taken = await this.signer.takeShares(CEREMONY, state.sealed, { scheme, keysId }, parseSplitDeal(sent));
        const { address } = kept;
        return told({ type: 'split.done', walletId, address });
      },
    };
    let kept = { address: '' };
    const opened = { roomId, walletId, serverKeygenIds: keygenIds };
    return createSplitWallet(rooms, environmentId, await SplitGeneration.begin(scheme), opened, (shares) => {
      kept = shares;
      return Promise.resolve();
    });
  }

  /** New shares of the key, by the ceremony that keys of FROST have. */
  async renew(old: ShareSet, from: Scheme, to: Scheme): Promise<ShareSet> {
    const keys = { ...this.stored, protocol: 'SHAMIR', shares: this.taken!.public } as const;
    const begun = await this.threshold.beginReshare(CEREMONY, keys, { from, to });
    const device = await Resharing.begin(old, to);
    const opening = { generation: generationOf(old), scheme: to, packages: begun.packages };
    const receivers = begun.keygenIds.slice(0, serverParties(to).length);
    const sent = parseReshareShares(asJson(await device.respond(CEREMONY, opening, receivers)));
    const clientKeys = sent.keygenIds.map((id) => base58.decode(id));
    const terms = { scheme: to, clientKeys };
    const anew = await this.threshold.shareAnew(CEREMONY, begun.state.sealed, keys, terms, sent);
    this.generation = generationOf(old) + 1;
    const publicKey = publicKeyOf(anew.public).toString('hex');
    const said = { shares: anew.shares, commitments: anew.commitments, publicKey, generation: this.generation };
    const { shares, proof, text } = await device.finish(CEREMONY, said);
    const shown = { message: text, sent: parseSigningShares(asJson(proof)) };
    const proved = await this.threshold.proveKey(CEREMONY, anew.state.sealed, keysId, shown);
    this.taken = { kept: proved.kept, public: proved.public };
    return shares;
  }

  /** The service's shares in the clear. */
  async opened(): Promise<SecretShare[]> {
    const bytes = await envelope.open(this.taken!.kept.sealed, sharesContext('SHAMIR', this.stored));
    return JSON.parse(bytes.expose().toString()) as SecretShare[];
  }

  /** The service's shares as they are stored. */
  get stored() {
    return { environmentId, userId, keysId, sealed: this.taken!.kept.sealed };
  }

  /** Has what is stored signed or shared anew as if it were of FROST. */
  asFrost(): Promise<unknown>[] {
    const keys = { ...this.stored, protocol: 'FROST', shares: this.taken!.public } as const;
    const schemes = { from: 'TWO_OF_TWO', to: 'TWO_OF_TWO' } as const;
    const message = Buffer.from(TEXT);
    return [this.threshold.beginSigning(CEREMONY, keys, message), this.threshold.beginReshare(CEREMONY, keys, schemes)];
  }

  async open(address: string, request: object): Promise<{ roomId: string }> {
    this.signable = readSignable({ chain: 'EVM', address }, declaredEvmRequest(request as never));
    this.state = await this.signer.beginSigning(CEREMONY, this.signable.digest);
    return { roomId };
  }

  assertIsFor(digest: Buffer): Promise<void> {
    return this.signer.assertIsFor(CEREMONY, this.state!.sealed, digest);
  }

  export(publicKey: Uint8Array, info: Uint8Array, address: string): Promise<HpkeMessage> {
    return this.signer.export(this.stored, { kem: 'X25519', publicKey, info }, address);
  }

  readonly rooms: Rooms = {
    read: () => {
      const digest = this.signable!.digest.toString('hex');
      return Promise.resolve(told({ type: 'split.signing', digest, generation: this.generation }));
    },
    post: async (_, message) => {
      const sent = asJson(message);
      const { digest, written } = this.signable!;
      const { public: shares } = this.taken!;
      if (sent['type'] === 'split.key') {
        await this.signer.assertIsFor(CEREMONY, this.state!.sealed, digest);
        const deviceKey = Uint8Array.from(base58.decode(parseSplitKey(sent).keygenId));
        const purpose = { ...CEREMONY, walletId, digest, deviceKey };
        const keys = { ...this.stored, shares };
        return told({
          type: 'split.shares',
          generation: this.generation,
          shares: await this.signer.release(keys, purpose),
        });
      }
      const signature = parseSplitSignature(sent);
      expect(secp256k1Recovers(digest, publicKeyOf(shares), signature)).toBe(true);
      return told({ type: 'split.signed', signed: written!(signature) });
    },
  };
}

afterAll(() => elsewhere.close());

describe.each<[string, SplitPort, ThresholdPort]>([
  ['in this process', signers.split, signers.threshold],
  ['in a process of its own', remotePort('split', elsewhere), remotePort('threshold', elsewhere)],
])('the two halves of a split key, with a signer %s,', (_, signer, threshold) => {
  let service: Service;
  beforeEach(() => {
    service = new Service(signer, threshold);
  });

  const signed = async (shares: ShareSet): Promise<string> => {
    const openSigning = (_wallet: string, request: object) => service.open(shares.address, request);
    const account = splitAccount({ rooms: service.rooms, environmentId, openSigning }, shares);
    return recoverMessageAddress({ message: TEXT, signature: await account.signMessage({ message: TEXT }) });
  };

  it.each(['TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE'] as const)(
    'make one by %s, and sign messages, typed data and transactions as an account of viem',
    async (scheme) => {
      const shares = await service.make(scheme);
      const openSigning = (_: string, request: object) => service.open(shares.address, request);
      const account = splitAccount({ rooms: service.rooms, environmentId, openSigning }, shares);
      const signature = await account.signMessage({ message: TEXT });
      expect(await recoverMessageAddress({ message: TEXT, signature })).toBe(shares.address);
      const typed = {
        types: { Mail: [{ name: 'amount', type: 'uint256' }] },
        primaryType: 'Mail',
        domain: { name: 'Post', chainId: 31_337 },
        message: { amount: 10n ** 30n },
      } as const;
      const sealed = await account.signTypedData(typed);
      expect(await recoverTypedDataAddress({ ...typed, signature: sealed })).toBe(shares.address);
      const serializedTransaction = (await account.signTransaction({
        ...{ type: 'eip1559', chainId: 31_337, to: account.address, value: 5n, nonce: 0, gas: 21_000n },
        ...{ maxFeePerGas: parseGwei('20'), maxPriorityFeePerGas: 1n },
      })) as `0x02${string}`;
      expect(await recoverTransactionAddress({ serializedTransaction })).toBe(shares.address);
    },
  );

  it('name the participant whose share was changed, and take none of another room or key', async () => {
    const changed = service.make('THREE_OF_FIVE', ({ shares }) => {
      const [, last] = shares as { ciphertext: string }[];
      last!.ciphertext = `${last!.ciphertext.startsWith('A') ? 'B' : 'A'}${last!.ciphertext.slice(1)}`;
    });
    await expect(changed).rejects.toMatchObject({ name: 'CeremonyFault', party: 5 });
    const forged = service.make('TWO_OF_TWO', (sent) => {
      sent['commitments'] = [...(sent['commitments'] as string[])].reverse();
    });
    await expect(forged).rejects.toMatchObject({ name: 'CeremonyFault' });
  });

  it('release nothing for another digest than that of the room, and seal what an export hands out', async () => {
    const shares = await service.make('THREE_OF_FIVE');
    await service.open(shares.address, { message: TEXT });
    await expect(service.assertIsFor(Buffer.alloc(32, 1))).rejects.toThrow();
    const recipient = await newReceiver();
    const info = utf8('export');
    const { enc, ciphertext } = await service.export(base58.decode(recipient.keygenId), info, shares.address);
    const sealed = { enc: enc.toString('base64url'), ciphertext: ciphertext.toString('base64url') };
    const exported = await open(recipient, sealed, info, utf8(shares.address));
    const key = joinExported({ ...shares, secrets: shares.secrets.slice(0, 1) }, exported);
    expect(privateKeyToAccount(`0x${toHex(key)}`).address).toBe(shares.address);
  });

  it('share the key anew from 2 of 2 to 2 of 3 to 3 of 5 to 2 of 2, and shares of two generations never combine', async () => {
    let shares = await service.make('TWO_OF_TWO');
    const { address } = shares;
    const way: Scheme[] = ['TWO_OF_TWO', 'TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE', 'TWO_OF_TWO'];
    for (const [at, to] of way.slice(1).entries()) {
      const old = shares;
      shares = await service.renew(old, way[at]!, to);
      expect([shares.address, shares.generation]).toEqual([address, generationOf(old) + 1]);
      expect(shares.secrets.map(({ share }) => share)).not.toEqual(old.secrets.map(({ share }) => share));
      expect(await signed(shares)).toBe(address);
      const { publicShares } = shares;
      const all = [...shares.secrets, ...(await service.opened())];
      expect(() => joinKey(publicShares, all.slice(-publicShares.min))).not.toThrow();
      const mixed = [old.secrets[0]!, ...all.filter(({ id }) => id !== 1)].slice(0, publicShares.min);
      expect(() => joinKey(publicShares, mixed)).toThrow('The share of participant 1 is not its own');
      // Even for whoever believes that the old share belongs there.
      const [believed] = old.publicShares.verifyingShares;
      const verifyingShares = [believed!, ...publicShares.verifyingShares.slice(1)];
      expect(() => joinKey({ ...publicShares, verifyingShares }, mixed)).toThrow('The shares are of another key');
      await expect(signed(old)).rejects.toMatchObject({ name: 'OtherGeneration' });
    }
  });

  it('keep what was split from what is shared: neither opens as the other', async () => {
    const shares = await service.make('TWO_OF_TWO');
    for (const { status } of await Promise.allSettled(service.asFrost())) expect(status).toBe('rejected');
    const renewed = await service.renew(shares, 'TWO_OF_TWO', 'TWO_OF_TWO');
    for (const { status } of await Promise.allSettled(service.asFrost())) expect(status).toBe('rejected');
    const foreign = { ...service.stored, chain: 'SOL', scheme: 'TWO_OF_TWO', walletId } as const;
    const dealt = await threshold.deal(foreign, { ...foreign, lock: new Uint8Array(32).fill(1) });
    const keys = { ...service.stored, sealed: dealt.kept.sealed, shares: dealt.public };
    const deviceKey = base58.decode((await newReceiver()).keygenId);
    const purpose = { ...CEREMONY, walletId, digest: Buffer.alloc(32, 1), deviceKey };
    await expect(signer.release(keys, purpose)).rejects.toThrow();
    await expect(signer.release({ ...keys, ...service.stored }, purpose)).resolves.toHaveLength(1);
    expect(await signed(renewed)).toBe(shares.address);
  });

  it('ask for nothing in a room that is for another message', async () => {
    const shares = await service.make('TWO_OF_TWO');
    await service.open(shares.address, { message: 'I do not.' });
    const digest = messageDigest(new TextEncoder().encode(TEXT));
    const signing = signSplit(service.rooms, environmentId, shares, digest, roomId);
    await expect(signing).rejects.toMatchObject({ name: 'MismatchedMessage' });
  });
});
