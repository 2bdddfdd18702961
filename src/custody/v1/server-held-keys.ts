import { Injectable, type OnModuleInit } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import type { Transaction } from '../../database/index.js';
import { SecretBytes } from '../../vault/index.js';
import { CustodianRegistry } from '../custodian-registry.js';
import type {
  AccountPlace,
  CreatesKeys,
  Custodian,
  DerivesAccounts,
  EmbeddedAccount,
  HeldKeys,
  KeyOwner,
} from '../custodian.js';
import { deriveAccount } from '../derivation/derive-account.js';
import { assertRandomSource } from '../derivation/entropy-self-test.js';
import { generateHdEntropy } from '../derivation/hd-seed.js';
import type { EmbeddedChain } from '../embedded-chain.js';
import { PreparedSeed } from './prepared-seed.js';
import { SeedVault, usingSeed } from './seed-vault.js';
import { SeedsRepository } from './seeds.repository.js';

const firstAccounts = (chains: readonly EmbeddedChain[]): AccountPlace[] =>
  chains.map((chain) => ({ chain, index: 0 }));

const accountsOf = (seed: SecretBytes, places: readonly AccountPlace[]): EmbeddedAccount[] =>
  places.map(({ chain, index }) => ({ chain, index, ...deriveAccount(seed, chain, index) }));

/**
 * Version V1: the service makes every seed and holds it, sealed by the key vault. Custodial, encrypted at rest: whoever
 * has the database alone has nothing, whoever has the database and the master key has the keys.
 */
@Injectable()
export class ServerHeldKeys implements Custodian, CreatesKeys, DerivesAccounts, OnModuleInit {
  readonly version = 'V1';
  readonly can = { create: this, derive: this };

  constructor(
    private readonly seeds: SeedsRepository,
    private readonly vault: SeedVault,
    private readonly custodians: CustodianRegistry,
  ) {}

  /** @throws RandomSourceError before the first key could be made */
  onModuleInit(): void {
    assertRandomSource((length) => SecretBytes.random(length).expose());
    this.custodians.register(this);
  }

  async prepare(owner: KeyOwner, chains: readonly EmbeddedChain[]): Promise<PreparedSeed> {
    const seed = await this.seeds.findLive(owner.environmentId, owner.userId);
    if (!seed) return this.newSeed(owner, firstAccounts(chains));
    const accounts = await this.derive({ ...owner, keysId: seed.id }, firstAccounts(chains));
    return new PreparedSeed(seed.id, accounts, { owner, seeds: this.seeds, draft: null });
  }

  retire({ environmentId, userId }: KeyOwner, graceDays: number, tx: Transaction): Promise<void> {
    return this.seeds.condemn(environmentId, userId, graceDays, tx);
  }

  /**
   * @throws ApiError not_found when the user's seed is another one by now
   * @throws SealedBlobError if the seed is not that of this user and environment
   */
  async derive(keys: HeldKeys, places: readonly AccountPlace[]): Promise<EmbeddedAccount[]> {
    const { environmentId, userId, keysId: seedId } = keys;
    const seed = await this.seeds.findLive(environmentId, userId);
    if (seed?.id !== seedId) throw notFound();
    return this.vault.withSeed(seed.sealedEntropy, { environmentId, userId, seedId }, (bytes) =>
      accountsOf(bytes, places),
    );
  }

  private async newSeed(owner: KeyOwner, places: readonly AccountPlace[]): Promise<PreparedSeed> {
    const { environmentId, userId } = owner;
    const id = newId();
    const entropy = generateHdEntropy();
    try {
      const { sealed, masterKeyId } = await this.vault.seal(entropy, { environmentId, userId, seedId: id });
      const accounts = await usingSeed(entropy, (seed) => accountsOf(seed, places));
      const records = { vaultOrganizationId: newId(), vaultUserId: newId() };
      const draft = { id, userId, ...records, sealedEntropy: sealed, masterKeyId };
      return new PreparedSeed(id, accounts, { owner, seeds: this.seeds, draft });
    } finally {
      entropy.wipe();
    }
  }
}
