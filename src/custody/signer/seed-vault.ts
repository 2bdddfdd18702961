import type { EnvironmentId } from '../../database/index.js';
import type { Envelope, SealContext, SecretBytes } from '../../vault/index.js';
import { entropyToSeed } from '../derivation/hd-seed.js';
import { readSeed, type KeptAccount } from './kept-seed.js';
import type { HeldSecretKind } from '../v1/wallet-seed.entity.js';

/**
 * What is sealed: a seed with its entropy, an imported private key, a receiver key that a private key is to be sealed
 * to, or the dealt shares of a key.
 */
export type SecretKind = HeldSecretKind | 'import-key' | 'frost-shares';

/** The owner of a row's secret. All fields are authenticated: a ciphertext moved to another row does not open. */
export interface SeedOwner {
  readonly environmentId: EnvironmentId | string;
  readonly userId: string;
  readonly seedId: string;
  /** Defaults to `hd-entropy`. */
  readonly kind?: SecretKind;
}

export interface SealedEntropy {
  readonly sealed: Buffer;
  readonly masterKeyId: string;
}

/** Seals key material and opens it for a single use. */
export class SeedVault {
  constructor(private readonly envelope: Envelope) {}

  /** The caller keeps the entropy and must wipe it. */
  async seal(entropy: SecretBytes, owner: SeedOwner): Promise<SealedEntropy> {
    return this.named(await this.envelope.seal(entropy, contextOf(owner)));
  }

  /**
   * Passes the 64-byte seed to `use` and wipes it afterwards, along with everything sealed with it. If only the entropy
   * was sealed, as in early versions, the seed is derived from it.
   *
   * @throws SealedBlobError if the blob is not this owner's
   */
  async withSeed<T>(
    sealed: Buffer,
    owner: SeedOwner,
    use: (seed: SecretBytes, accounts: readonly KeptAccount[]) => T,
  ): Promise<T> {
    return this.withSecret(sealed, owner, (secret) => {
      const kept = readSeed(secret);
      return kept ? use(kept.seed, kept.accounts) : usingSeed(secret, (seed) => use(seed, []));
    });
  }

  /** Passes the sealed secret to `use` as is, and wipes it afterwards. @throws SealedBlobError */
  async withSecret<T>(sealed: Buffer, owner: SeedOwner, use: (secret: SecretBytes) => T | Promise<T>): Promise<T> {
    const secret = await this.envelope.open(sealed, contextOf(owner));
    try {
      return await use(secret);
    } finally {
      secret.wipe();
    }
  }

  /** The same secret under the current master key, or null if it already is. */
  async rewrap(sealed: Buffer, owner: SeedOwner): Promise<SealedEntropy | null> {
    const rewrapped = await this.envelope.rewrap(sealed, contextOf(owner));
    return rewrapped && this.named(rewrapped);
  }

  private named(sealed: Buffer): SealedEntropy {
    return { sealed, masterKeyId: this.envelope.keyIdOf(sealed) };
  }
}

/** Derives the BIP-39 seed from entropy, passes it to `use` and wipes it. */
export async function usingSeed<T>(entropy: SecretBytes, use: (seed: SecretBytes) => T | Promise<T>): Promise<T> {
  const seed = await entropyToSeed(entropy);
  try {
    return await use(seed);
  } finally {
    seed.wipe();
  }
}

const contextOf = ({ environmentId, userId, seedId, kind = 'hd-entropy' }: SeedOwner): SealContext => ({
  purpose: 'wallet',
  environmentId,
  userId,
  subjectId: seedId,
  kind,
});
