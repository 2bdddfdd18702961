import type { Transaction } from '../../database/index.js';
import type { PreparedKeys } from '../custodian.js';
import type { EmbeddedAccount, KeyOwner } from '../held-account.js';
import type { NewKeys, SeedsRepository } from './seeds.repository.js';

/** A seed with its first accounts: a new one, sealed but not stored yet, or the stored one. */
export class PreparedSeed implements PreparedKeys {
  readonly isNew: boolean;
  readonly #owner: KeyOwner;
  readonly #seeds: SeedsRepository;
  readonly #draft: NewKeys | null;

  constructor(
    readonly keysId: string,
    readonly accounts: readonly EmbeddedAccount[],
    parts: { owner: KeyOwner; seeds: SeedsRepository; draft: NewKeys | null },
  ) {
    this.#owner = parts.owner;
    this.#seeds = parts.seeds;
    this.#draft = parts.draft;
    this.isNew = parts.draft !== null;
  }

  async store(tx: Transaction): Promise<boolean> {
    const { environmentId, userId } = this.#owner;
    if (this.#draft) return this.#seeds.insertIfAbsent(environmentId, this.#draft, tx);
    return (await this.#seeds.findFirst(environmentId, userId, tx))?.id === this.keysId;
  }

  discard(): void {
    this.#draft?.sealedEntropy.fill(0);
  }
}
