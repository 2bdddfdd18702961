import { Injectable, type OnModuleInit } from '@nestjs/common';
import { conflict } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { SecretBytes } from '../../vault/index.js';
import { deriveAccount } from './derive-account.js';
import type { EmbeddedChain } from './embedded-chain.js';
import { assertRandomSource } from './entropy-self-test.js';
import { generateHdEntropy } from './hd-seed.js';
import { KeyCustodian, type EmbeddedAccount, type HeldSeed } from './key-custodian.js';
import { SeedVault } from './seed-vault.js';
import { SeedsRepository } from './seeds.repository.js';

/** The first account of a seed; further ones would count up from here. */
const FIRST_ACCOUNT = 0;

/**
 * Version V1: the service makes every seed and holds it, sealed by the key vault. Custodial, encrypted at rest: whoever
 * has the database alone has nothing, whoever has the database and the master key has the keys.
 */
@Injectable()
export class ServerHeldKeys extends KeyCustodian implements OnModuleInit {
  readonly version = 'V1';

  constructor(
    private readonly seeds: SeedsRepository,
    private readonly vault: SeedVault,
  ) {
    super();
  }

  /** @throws RandomSourceError before the first key could be made */
  onModuleInit(): void {
    assertRandomSource((length) => SecretBytes.random(length).expose());
  }

  async ensureSeed(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<HeldSeed> {
    const made = await this.seeds.insertIfAbsent(environmentId, await this.newSeed(environmentId, userId), tx);
    const seed = made ?? (await this.seeds.findLive(environmentId, userId, tx));
    if (!seed) throw conflict();
    return seed;
  }

  async deriveAccounts(
    environmentId: EnvironmentId,
    { id, userId, sealedEntropy }: HeldSeed,
    chains: readonly EmbeddedChain[],
  ): Promise<EmbeddedAccount[]> {
    return this.vault.withSeed(sealedEntropy, { environmentId, userId, seedId: id }, (seed) =>
      chains.map((chain) => ({ chain, index: FIRST_ACCOUNT, ...deriveAccount(seed, chain, FIRST_ACCOUNT) })),
    );
  }

  private async newSeed(environmentId: EnvironmentId, userId: string): Promise<HeldSeed & { masterKeyId: string }> {
    const id = newId();
    const entropy = generateHdEntropy();
    try {
      const { sealed, masterKeyId } = await this.vault.seal(entropy, { environmentId, userId, seedId: id });
      return { id, userId, vaultOrganizationId: newId(), vaultUserId: newId(), sealedEntropy: sealed, masterKeyId };
    } finally {
      entropy.wipe();
    }
  }
}
