import type { EnvironmentId } from '../../database/index.js';
import type { Envelope, SealContext, SecretBytes } from '../../vault/index.js';
import { entropyToSeed } from '../derivation/hd-seed.js';
import { readSeed, type KeptAccount } from './kept-seed.js';
import type { HeldSecretKind } from '../v1/wallet-seed.entity.js';

/**
 * What is sealed: a seed with the entropy that it comes from, a private key that was imported, a key that one is to be sealed to, or shares that
 * were dealt of a key.
 */
export type SecretKind = HeldSecretKind | 'import-key' | 'frost-shares';

/** Whose secret a row holds. All of it is authenticated: a ciphertext moved to another row does not open. */
export interface SeedOwner {
  readonly environmentId: EnvironmentId | string;
  readonly userId: string;
  readonly seedId: string;
  /** `hd-entropy` unless it says something else. */
  readonly kind?: SecretKind;
}

export interface SealedEntropy {
  readonly sealed: Buffer;
  readonly masterKeyId: string;
}

/** Seals what keys come from and opens it for the length of one use. */
export class SeedVault {
  constructor(private readonly envelope: Envelope) {}

  /** The entropy stays the caller's, who wipes it. */
  async seal(entropy: SecretBytes, owner: SeedOwner): Promise<SealedEntropy> {
    return this.named(await this.envelope.seal(entropy, contextOf(owner)));
  }

  /**
   * Hands the 64-byte seed to `use` and wipes it afterwards, with everything it was sealed with. Where the entropy was
   * sealed alone, as all were at first, the seed is made of it.
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

  /** Hands what was sealed to `use` as it is, and wipes it afterwards. @throws SealedBlobError */
  async withSecret<T>(sealed: Buffer, owner: SeedOwner, use: (secret: SecretBytes) => T | Promise<T>): Promise<T> {
    const secret = await this.envelope.open(sealed, contextOf(owner));
    try {
      return await use(secret);
    } finally {
      secret.wipe();
    }
  }

  /** The same secret under the current master key, or null if it is there already. */
  async rewrap(sealed: Buffer, owner: SeedOwner): Promise<SealedEntropy | null> {
    const rewrapped = await this.envelope.rewrap(sealed, contextOf(owner));
    return rewrapped && this.named(rewrapped);
  }

  private named(sealed: Buffer): SealedEntropy {
    return { sealed, masterKeyId: this.envelope.keyIdOf(sealed) };
  }
}

/** Stretches entropy to the seed of BIP-39, hands it to `use` and wipes it. */
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
