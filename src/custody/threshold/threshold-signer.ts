import { Injectable } from '@nestjs/common';
import { base58 } from '@scure/base';
import type { EnvironmentId } from '../../database/index.js';
import { Envelope, receiverKeys, SecretBytes, type SealContext } from '../../vault/index.js';
import type { NewlySealed } from '../signer/wallet-signer.js';
import {
  commitNonces,
  completeSignature,
  type OpenNonces,
  type PublicShares,
  type SecretShare,
  type SigningSide,
} from './frost.js';
import { beginKeygen, finishKeygen, type KeygenSecrets } from './key-generation.js';
import { serverParties, type ShareScheme } from './schemes.js';
import type {
  KeygenShares,
  NonceCommitment,
  Round1Package,
  SealedShare,
  SignatureShare,
  SigningShares,
} from './wire.js';

const RECEIVER_BYTES = 32;

/** Which ceremony of whom: what is kept of it between two messages opens for no other. */
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
  readonly sealed: Buffer;
}

/** A key that exists once both sides have proved their shares. Secret. */
interface MadeKey {
  readonly shares: PublicShares;
  readonly secrets: readonly SecretShare[];
  readonly nonces: readonly OpenNonces[];
  readonly commitments: readonly NonceCommitment[];
}

interface Nonces {
  readonly nonces: readonly OpenNonces[];
  readonly commitments: readonly NonceCommitment[];
}

/**
 * The service's side of FROST. What it keeps between two messages is sealed, and handed over by whoever stores it: whoever
 * calls has taken it away first, so that it is used once.
 */
@Injectable()
export class ThresholdSigner {
  constructor(private readonly envelope: Envelope) {}

  /** @returns with the public keys that the user's shares are to be sealed to, one for each of its participants */
  async beginKeygen(
    ceremony: Ceremony,
    scheme: ShareScheme,
  ): Promise<{ state: NewlySealed; keygenIds: string[]; packages: readonly Round1Package[] }> {
    const receivers = serverParties(scheme).map(() => SecretBytes.random(RECEIVER_BYTES));
    try {
      const keys = await Promise.all(receivers.map((one) => receiverKeys(one.expose())));
      const secrets = beginKeygen(
        scheme,
        receivers.map((one) => one.expose()),
      );
      const state = await this.seal(secrets, stateOf(ceremony));
      return { state, keygenIds: keys.map(({ X25519 }) => base58.encode(X25519)), packages: secrets.packages };
    } finally {
      for (const one of receivers) one.wipe();
    }
  }

  /**
   * Makes the key, which is nobody's before `proveKey`.
   *
   * @throws CeremonyFault
   */
  async makeKey(
    ceremony: Ceremony,
    sealed: Buffer,
    { scheme, clientKeys }: { scheme: ShareScheme; clientKeys: readonly Uint8Array[] },
    sent: KeygenShares,
  ): Promise<{
    state: NewlySealed;
    shares: SealedShare[];
    commitments: readonly NonceCommitment[];
    public: PublicShares;
  }> {
    const secrets = await this.open<KeygenSecrets>(sealed, stateOf(ceremony));
    const { environmentId, roomId } = ceremony;
    const made = await finishKeygen({ scheme, clientKeys, environmentId, roomId }, secrets, sent);
    const nonces = commitNonces(made.secrets);
    const key: MadeKey = { shares: made.public, secrets: made.secrets, ...nonces };
    const state = await this.seal(key, stateOf(ceremony));
    return { state, shares: made.shares, commitments: nonces.commitments, public: made.public };
  }

  /**
   * The signature that shows that both sides have their shares, and the service's, sealed to be kept.
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
    const kept = await this.seal(key.secrets, sharesContext({ environmentId, userId, keysId }));
    return { kept, public: key.shares, signature };
  }

  /** Round one of a signature. The nonces are sealed for this ceremony. */
  async beginSigning(
    ceremony: Ceremony,
    keys: SealedShares,
  ): Promise<{ state: NewlySealed; commitments: readonly NonceCommitment[] }> {
    const secrets = await this.open<readonly SecretShare[]>(keys.sealed, sharesContext(keys));
    const nonces: Nonces = commitNonces(secrets);
    return { state: await this.seal(nonces, stateOf(ceremony)), commitments: nonces.commitments };
  }

  /** @throws CeremonyFault naming the participant whose share is not right */
  async sign(
    ceremony: Ceremony,
    sealed: Buffer,
    keys: SealedShares & { readonly shares: PublicShares },
    { message, sent }: { message: Uint8Array; sent: SigningShares },
  ): Promise<{ shares: SignatureShare[]; signature: Buffer }> {
    const nonces = await this.open<Nonces>(sealed, stateOf(ceremony));
    const secrets = await this.open<readonly SecretShare[]>(keys.sealed, sharesContext(keys));
    const side: SigningSide = { shares: keys.shares, secrets, ...nonces };
    return completeSignature(side, sent, message);
  }

  /** Kept shares under the current master key, or null if they are there already. */
  async rewrapShares({ sealed, ...keys }: SealedShares): Promise<NewlySealed | null> {
    return this.named(await this.envelope.rewrap(sealed, sharesContext(keys)));
  }

  /** The same of what a ceremony keeps. */
  async rewrapState(ceremony: Ceremony, sealed: Buffer): Promise<NewlySealed | null> {
    return this.named(await this.envelope.rewrap(sealed, stateOf(ceremony)));
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

const stateOf = ({ environmentId, userId, roomId }: Ceremony): SealContext => ({
  purpose: 'wallet',
  environmentId,
  userId,
  subjectId: roomId,
  kind: 'ceremony-state',
});

/** What the service's shares of a key are sealed for. */
export const sharesContext = ({ environmentId, userId, keysId }: Omit<SealedShares, 'sealed'>): SealContext => ({
  purpose: 'wallet',
  environmentId,
  userId,
  subjectId: keysId,
  kind: 'frost-shares',
});
