import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import type { EnvironmentId } from '../../database/index.js';
import { receiverKeys, SecretBytes, type Envelope, type SealContext } from '../../vault/index.js';
import type { DealtKey, NewlySealed } from '../signer/wallet-signer.js';
import {
  commitNonces,
  completeSignature,
  type OpenNonces,
  type PublicShares,
  type SecretShare,
  type SigningSide,
} from './frost.js';
import { dealShares } from './dealing.js';
import { beginKeygen, finishKeygen, type KeygenSecrets } from './key-generation.js';
import { lockedCopy } from './locked-copy.js';
import { beginReshare, finishReshare, type ReshareSecrets } from './resharing.js';
import { serverParties, type ShareProtocol, type ShareScheme } from './schemes.js';
import type { Dealer } from './sub-shares.js';
import { curveOfPoints, type Curve } from './suites.js';
import { thresholdAccount, type ThresholdChain } from './threshold-chains.js';
import type {
  KeygenShares,
  NonceCommitment,
  ReshareShares,
  Round1Package,
  SealedShare,
  SignatureShare,
  SigningShares,
} from './wire.js';

const RECEIVER_BYTES = 32;

/** One ceremony of one user: state kept between two messages opens for no other. */
export interface Ceremony {
  readonly environmentId: EnvironmentId;
  readonly userId: string;
  readonly roomId: string;
}

/** The service's shares of a key, sealed. */
export interface SealedShares {
  readonly environmentId: EnvironmentId | string;
  readonly userId: string;
  readonly keysId: string;
  /** Empty if the signer reads them itself, by the ids and the generation. */
  readonly sealed: Buffer;
  readonly generation?: number;
}

/** Shares being reshared. They open only under the protocol they were made with. */
export interface ResharedKeys extends SealedShares {
  readonly protocol: ShareProtocol;
  readonly shares: PublicShares;
}

/** How to deal a newly generated key. */
export interface NewDealing {
  readonly chain: ThresholdChain;
  readonly scheme: ShareScheme;
  readonly walletId: string;
  /** The 32-byte secret that opens the copy. */
  readonly lock: Uint8Array;
}

/** A new or reshared key, before both sides have proved their shares. */
export interface UnprovedKey {
  readonly state: NewlySealed;
  /** From the service, for the user's participants. */
  readonly shares: SealedShare[];
  /** To the nonces of the proof signature. */
  readonly commitments: readonly NonceCommitment[];
  readonly public: PublicShares;
}

/** A key that takes effect once both sides have proved their shares. Secret. */
interface MadeKey {
  /** The protocol the shares will be sealed for: for reshared ones, the one that the old shares opened under. */
  readonly protocol: ShareProtocol;
  readonly shares: PublicShares;
  readonly secrets: readonly SecretShare[];
  readonly nonces: readonly OpenNonces[];
  readonly commitments: readonly NonceCommitment[];
}

interface Nonces {
  /** Digest of the message to sign, so that someone able to write to the database cannot substitute another. */
  readonly of: string;
  readonly nonces: readonly OpenNonces[];
  readonly commitments: readonly NonceCommitment[];
}

/**
 * The service's side of FROST. Its state between two messages is sealed, and stored by the caller, which must take it
 * out of storage before passing it back, so that it is used only once.
 */
export class ThresholdSigner {
  constructor(private readonly envelope: Envelope) {}

  /** @returns also the public keys that the user's shares are to be sealed to, one for each of its participants */
  async beginKeygen(
    ceremony: Ceremony,
    { curve, scheme }: { curve: Curve; scheme: ShareScheme },
  ): Promise<{ state: NewlySealed; keygenIds: string[]; packages: readonly Round1Package[] }> {
    return this.withReceivers(serverParties(scheme).length, async (receivers, keygenIds) => {
      const secrets = beginKeygen(curve, scheme, receivers);
      const state = await this.seal(secrets, stateOf(ceremony));
      return { state, keygenIds, packages: secrets.packages };
    });
  }

  /**
   * Makes the key, which has no owner before `proveKey`.
   *
   * @throws CeremonyFault
   */
  async makeKey(
    ceremony: Ceremony,
    sealed: Buffer,
    parties: { curve: Curve; scheme: ShareScheme; clientKeys: readonly Uint8Array[] },
    sent: KeygenShares,
  ): Promise<UnprovedKey> {
    const secrets = await this.open<KeygenSecrets>(sealed, stateOf(ceremony));
    const { environmentId, roomId } = ceremony;
    const made = await finishKeygen({ ...parties, environmentId, roomId }, secrets, sent);
    return this.unproved(ceremony, 'FROST', made);
  }

  /**
   * Begins to reshare a key. The old shares are not kept with the ceremony.
   *
   * @returns also public keys, as many as the service has participants in whichever scheme has more of them
   */
  async beginReshare(
    ceremony: Ceremony,
    keys: ResharedKeys,
    { from, to }: { from: ShareScheme; to: ShareScheme },
  ): Promise<{ state: NewlySealed; keygenIds: string[]; packages: readonly Dealer[] }> {
    const { shares } = keys;
    const context = sharesContext(keys.protocol, keys);
    const old = { shares, secrets: await this.open<readonly SecretShare[]>(keys.sealed, context) };
    const most = Math.max(serverParties(from).length, serverParties(to).length);
    return this.withReceivers(most, async (receivers, keygenIds) => {
      const secrets = beginReshare(old, to, receivers);
      const packages = secrets.dealers.map(({ id, commitment }) => ({ id, commitment }));
      return { state: await this.seal(secrets, stateOf(ceremony)), keygenIds, packages };
    });
  }

  /**
   * Shares of the next generation, which have no owner before `proveKey`.
   *
   * @throws CeremonyFault
   */
  async shareAnew(
    ceremony: Ceremony,
    sealed: Buffer,
    keys: ResharedKeys,
    { scheme, clientKeys }: { scheme: ShareScheme; clientKeys: readonly Uint8Array[] },
    sent: ReshareShares,
  ): Promise<UnprovedKey> {
    const secrets = await this.open<ReshareSecrets>(sealed, stateOf(ceremony));
    const { protocol, shares } = keys;
    const old = {
      shares,
      secrets: await this.open<readonly SecretShare[]>(keys.sealed, sharesContext(protocol, keys)),
    };
    const { environmentId, roomId } = ceremony;
    const anew = await finishReshare({ scheme, clientKeys, environmentId, roomId }, old, secrets, sent);
    return this.unproved(ceremony, protocol, anew);
  }

  /**
   * The signature that proves that both sides have their shares, and the service's shares, sealed for storage.
   *
   * @throws CeremonyFault
   */
  async proveKey(
    ceremony: Ceremony,
    sealed: Buffer,
    keysId: string,
    { message, sent }: { message: Uint8Array; sent: SigningShares },
  ): Promise<{ kept: NewlySealed; public: PublicShares; signature: Buffer }> {
    const key = await this.open<MadeKey>(sealed, stateOf(ceremony));
    const { signature } = completeSignature(key, sent, message);
    const { environmentId, userId } = ceremony;
    const kept = await this.seal(key.secrets, sharesContext(key.protocol, { environmentId, userId, keysId }));
    return { kept, public: key.shares, signature };
  }

  /** Generates a key and all of its shares, and locks the user's at once. */
  async deal(keys: Omit<SealedShares, 'sealed'>, { chain, scheme, walletId, lock }: NewDealing): Promise<DealtKey> {
    const { public: shown, clients, own } = dealShares(scheme);
    const { address } = thresholdAccount(chain, shown);
    const copy = await lockedCopy({ walletId, address, publicShares: shown, secrets: clients }, lock);
    return { kept: await this.seal(own, sharesContext('FROST', keys)), public: shown, copy };
  }

  /** Round one of a signature. The nonces are sealed for this ceremony and message. */
  async beginSigning(
    ceremony: Ceremony,
    keys: SealedShares & { readonly shares: PublicShares },
    message: Uint8Array,
  ): Promise<{ state: NewlySealed; commitments: readonly NonceCommitment[] }> {
    const secrets = await this.open<readonly SecretShare[]>(keys.sealed, sharesContext('FROST', keys));
    const nonces = commitNonces(curveOfPoints(keys.shares.commitments), secrets);
    const kept: Nonces = { ...nonces, of: digestOf(message) };
    return { state: await this.seal(kept, stateOf(ceremony)), commitments: nonces.commitments };
  }

  /**
   * @throws CeremonyFault naming the participant whose share is invalid; Error if the nonces are for another message,
   *   which was then never admitted
   */
  async sign(
    ceremony: Ceremony,
    sealed: Buffer,
    keys: SealedShares & { readonly shares: PublicShares },
    { message, sent }: { message: Uint8Array; sent: SigningShares },
  ): Promise<{ shares: SignatureShare[]; signature: Buffer }> {
    const { of, ...nonces } = await this.open<Nonces>(sealed, stateOf(ceremony));
    if (of !== digestOf(message)) throw new Error('The nonces are for another message.');
    const secrets = await this.open<readonly SecretShare[]>(keys.sealed, sharesContext('FROST', keys));
    const side: SigningSide = { shares: keys.shares, secrets, ...nonces };
    return completeSignature(side, sent, message);
  }

  /** Stored shares of either protocol under the current master key, or null if they already are. */
  async rewrapShares(protocol: ShareProtocol, { sealed, ...keys }: SealedShares): Promise<NewlySealed | null> {
    return this.named(await this.envelope.rewrap(sealed, sharesContext(protocol, keys)));
  }

  /** The same for the state of a ceremony. */
  async rewrapState(ceremony: Ceremony, sealed: Buffer): Promise<NewlySealed | null> {
    return this.named(await this.envelope.rewrap(sealed, stateOf(ceremony)));
  }

  private async unproved(
    ceremony: Ceremony,
    protocol: ShareProtocol,
    made: { public: PublicShares; secrets: readonly SecretShare[]; shares: SealedShare[] },
  ): Promise<UnprovedKey> {
    const nonces = commitNonces(curveOfPoints(made.public.commitments), made.secrets);
    const key: MadeKey = { protocol, shares: made.public, secrets: made.secrets, ...nonces };
    const state = await this.seal(key, stateOf(ceremony));
    return { state, shares: made.shares, commitments: nonces.commitments, public: made.public };
  }

  /** New keys that shares can be sealed to, wiped when `work` is done. */
  private async withReceivers<T>(
    count: number,
    work: (secrets: readonly Uint8Array[], keygenIds: string[]) => Promise<T>,
  ): Promise<T> {
    const receivers = Array.from({ length: count }, () => SecretBytes.random(RECEIVER_BYTES));
    try {
      const secrets = receivers.map((one) => one.expose());
      const keys = await Promise.all(secrets.map((one) => receiverKeys(one)));
      return await work(
        secrets,
        keys.map(({ X25519 }) => base58.encode(X25519)),
      );
    } finally {
      for (const one of receivers) one.wipe();
    }
  }

  private async seal(secret: object, context: SealContext): Promise<NewlySealed> {
    const bytes = SecretBytes.from(Buffer.from(JSON.stringify(secret)));
    try {
      return this.named(await this.envelope.seal(bytes, context))!;
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

  private named(sealed: Buffer | null): NewlySealed | null {
    return sealed && { sealed, masterKeyId: this.envelope.keyIdOf(sealed) };
  }
}

const digestOf = (message: Uint8Array): string => createHash('sha256').update(message).digest('hex');

/** What the state of a ceremony is sealed for. */
export const stateOf = ({ environmentId, userId, roomId }: Ceremony): SealContext => ({
  purpose: 'wallet',
  environmentId,
  userId,
  subjectId: roomId,
  kind: 'ceremony-state',
});

/** Sealed per protocol: FROST shares, which never leave, cannot be released by being labelled split. */
const KINDS: Readonly<Record<ShareProtocol, string>> = { FROST: 'frost-shares', SHAMIR: 'split-shares' };

/** What the service's shares of a key are sealed for. */
export const sharesContext = (
  protocol: ShareProtocol,
  { environmentId, userId, keysId }: Omit<SealedShares, 'sealed'>,
): SealContext => ({
  purpose: 'wallet',
  environmentId,
  userId,
  subjectId: keysId,
  kind: KINDS[protocol],
});
