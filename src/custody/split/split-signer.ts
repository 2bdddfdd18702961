import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import { hashMessage } from 'viem/utils';
import {
  type Envelope,
  openOffer,
  receiverKeys,
  SecretBytes,
  sealTo,
  type HpkeMessage,
  type Recipient,
  type SealContext,
} from '../../vault/index.js';
import { secp256k1Recovers } from '../derivation/secp256k1-key.js';
import type { NewlySealed } from '../signer/wallet-signer.js';
import { CeremonyFault } from '../threshold/ceremony-fault.js';
import { publicKeyOf, type PublicShares, type SecretShare } from '../threshold/frost.js';
import { serverParties, type ShareScheme } from '../threshold/schemes.js';
import { sharesContext, stateOf, type Ceremony, type SealedShares } from '../threshold/threshold-signer.js';
import { isShareOf, publicSharesOf } from './split-shares.js';
import type { DealtShare, SplitDeal } from './split-wire.js';

const RECEIVER_BYTES = 32;

/** One of the service's shares, sealed to a device's one-time key. */
export interface ReleasedShare {
  readonly from: number;
  /** Base64url. */
  readonly enc: string;
  readonly ciphertext: string;
}

/** The purpose of a release: the shares open for no other wallet, room or digest. */
export interface ReleasePurpose extends Ceremony {
  readonly walletId: string;
  readonly digest: Buffer;
  /** X25519 public key that the device generated for this room. */
  readonly deviceKey: Uint8Array;
}

interface Receivers {
  /** 32-byte secrets in hexadecimal, which the key pairs are derived from. */
  readonly receivers: readonly string[];
}

/**
 * The service's side of keys that a device has split. The service never has the whole key: it receives its shares,
 * keeps them sealed, and releases them to the device that uses the key.
 */
export class SplitSigner {
  constructor(private readonly envelope: Envelope) {}

  /** @returns also the public keys that the service's shares are to be sealed to */
  async beginKeygen(ceremony: Ceremony, scheme: ShareScheme): Promise<{ state: NewlySealed; keygenIds: string[] }> {
    const made = serverParties(scheme).map(() => SecretBytes.random(RECEIVER_BYTES));
    try {
      const keys = await Promise.all(made.map((one) => receiverKeys(one.expose())));
      const secrets: Receivers = { receivers: made.map((one) => one.expose().toString('hex')) };
      const state = await this.seal(secrets, stateOf(ceremony));
      return { state, keygenIds: keys.map(({ X25519 }) => base58.encode(X25519)) };
    } finally {
      for (const one of made) one.wipe();
    }
  }

  /**
   * Accepts the service's shares, each of which must match the commitments, of the key that made the signature.
   *
   * @throws CeremonyFault naming the participant whose share is invalid
   */
  async takeShares(
    ceremony: Ceremony,
    sealed: Buffer,
    { scheme, keysId }: { scheme: ShareScheme; keysId: string },
    deal: SplitDeal,
  ): Promise<{ kept: NewlySealed; public: PublicShares }> {
    const { receivers } = await this.open<Receivers>(sealed, stateOf(ceremony));
    const shown = publicSharesOf(scheme, deal.commitments);
    const { environmentId, userId, roomId } = ceremony;
    const proof = Buffer.from(hashMessage(proofText(ceremony, scheme, deal.commitments)).slice(2), 'hex');
    if (!secp256k1Recovers(proof, publicKeyOf(shown), deal.signature))
      throw new CeremonyFault('the signature is not one of the key that was dealt');
    if (deal.shares.length !== receivers.length)
      throw new CeremonyFault(`there are ${receivers.length} shares of the service`);
    const secrets: SecretShare[] = [];
    for (const [at, to] of serverParties(scheme).entries()) {
      const info = Buffer.from(['split/v1', environmentId, roomId, to].join('|'));
      const share = await openDealt(deal, to, { receiver: Buffer.from(receivers[at]!, 'hex'), info });
      if (!isShareOf(shown, to, share)) throw new CeremonyFault(`the share of participant ${to} is not its own`, to);
      secrets.push({ id: to, share: share.toString('hex') });
      share.fill(0);
    }
    const kept = await this.seal(secrets, sharesContext('SHAMIR', { environmentId, userId, keysId }));
    return { kept, public: shown };
  }

  /** Seals what a room is for: someone able to write to the database cannot substitute another digest. */
  async beginSigning(ceremony: Ceremony, digest: Buffer): Promise<NewlySealed> {
    return this.seal({ digest: digest.toString('hex') }, stateOf(ceremony));
  }

  /** @throws Error if the room is for another digest */
  async assertIsFor(ceremony: Ceremony, sealed: Buffer, digest: Buffer): Promise<void> {
    const state = await this.open<{ digest: string }>(sealed, stateOf(ceremony));
    if (state.digest !== digest.toString('hex')) throw new Error('The room is for another digest.');
  }

  /** The service's shares, sealed to the device's one-time key. */
  async release(keys: SealedShares & { readonly shares: PublicShares }, purpose: ReleasePurpose) {
    const { environmentId, roomId, walletId, digest, deviceKey: publicKey } = purpose;
    const aad = commitmentBytes(keys.shares.commitments);
    const released: ReleasedShare[] = [];
    for (const { id, share } of await this.open<readonly SecretShare[]>(keys.sealed, sharesContext('SHAMIR', keys))) {
      const binding = ['split-release/v1', environmentId, roomId, walletId, digest.toString('hex'), id];
      const recipient = { kem: 'X25519', publicKey, info: Buffer.from(binding.join('|')) } as const;
      const secret = SecretBytes.from(Buffer.from(share, 'hex'));
      try {
        const { enc, ciphertext } = await sealTo(recipient, secret.expose(), aad);
        released.push({
          from: id,
          enc: enc.toString('base64url'),
          ciphertext: ciphertext.toString('base64url'),
        });
      } finally {
        secret.wipe();
      }
    }
    return released;
  }

  /** The same for an export: JSON of the shares, with the address as additional data. */
  async export(keys: SealedShares, recipient: Recipient, address: string): Promise<HpkeMessage> {
    const shares = await this.open<readonly SecretShare[]>(keys.sealed, sharesContext('SHAMIR', keys));
    const plaintext = SecretBytes.from(Buffer.from(JSON.stringify({ shares })));
    try {
      return await sealTo(recipient, plaintext.expose(), Buffer.from(address));
    } finally {
      plaintext.wipe();
    }
  }

  private async seal(secret: object, context: SealContext): Promise<NewlySealed> {
    const bytes = SecretBytes.from(Buffer.from(JSON.stringify(secret)));
    try {
      const sealed = await this.envelope.seal(bytes, context);
      return { sealed, masterKeyId: this.envelope.keyIdOf(sealed) };
    } finally {
      bytes.wipe();
    }
  }

  private async open<T>(sealed: Buffer, context: SealContext): Promise<T> {
    const bytes = await this.envelope.open(sealed, context);
    try {
      return JSON.parse(bytes.expose().toString('utf8')) as T;
    } finally {
      bytes.wipe();
    }
  }
}

/** What the whole key signs once, as an EIP-191 message: not a transaction of any chain. */
const proofText = ({ environmentId, roomId }: Ceremony, scheme: ShareScheme, commitments: readonly string[]): string =>
  ['gatehouse/split-proof/v1', environmentId, roomId, scheme, ...commitments].join('|');

/** Digest of the released shares in sealed form, for the ledger. */
export const releaseDigest = (shares: readonly ReleasedShare[]): Buffer =>
  createHash('sha256').update(JSON.stringify(shares)).digest();

const commitmentBytes = (commitments: readonly string[]): Buffer => Buffer.from(commitments.join(''), 'hex');

async function openDealt(
  { commitments, shares }: SplitDeal,
  to: number,
  { receiver, info }: { receiver: Buffer; info: Buffer },
): Promise<Buffer> {
  const sealed = shares.find((one): one is DealtShare => one.to === to);
  if (!sealed) throw new CeremonyFault(`there is no share of participant ${to}`, to);
  const message = {
    enc: Buffer.from(sealed.enc, 'base64url'),
    ciphertext: Buffer.from(sealed.ciphertext, 'base64url'),
  };
  const opened = await openOffer(receiver, message, { info, aad: commitmentBytes(commitments) });
  if (opened?.length !== 32) throw new CeremonyFault(`the share of participant ${to} was not sealed for this room`, to);
  return opened;
}
