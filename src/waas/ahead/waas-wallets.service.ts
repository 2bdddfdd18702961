import { Injectable } from '@nestjs/common';
import { invalidFields } from '../../common/http/validation.pipe.js';
import { newId } from '../../common/ids.js';
import { THRESHOLD_CHAINS, type KeyActor, type ThresholdChain } from '../../custody/index.js';
import type { EnvironmentId, Transaction, Work } from '../../database/index.js';
import { UserIdentities, UserReader, type ForeseenUser, type FullUser } from '../../identity/index.js';
import { actorOf, draftAndWrite, OwnerIdentifiers, StaleDraft, ThresholdWallets } from '../../wallets/index.js';
import { chainOfDealtShares } from '../chains.js';
import { DealtWallets, type DealtWallet } from './dealt-wallets.js';
import type { CreateUserWaasWalletsRequest } from './waas-wallet.dto.js';

/** A draft for a user who may not exist yet. */
interface AheadDraft {
  readonly userId: string;
  readonly known: ForeseenUser['known'];
  readonly wallets: ReadonlyMap<ThresholdChain, DealtWallet>;
  /** Null: everything in the draft is sealed already, so nothing needs wiping. */
  readonly keys: null;
}

/**
 * Makes wallets with shared keys ahead for their users. Idempotent: of concurrent calls for one user, one makes the
 * wallet of each chain, and all return the same user.
 */
@Injectable()
export class WaasWalletsService {
  constructor(
    private readonly identities: UserIdentities,
    private readonly identifiers: OwnerIdentifiers,
    private readonly wallets: ThresholdWallets,
    private readonly dealt: DealtWallets,
    private readonly users: UserReader,
  ) {}

  /**
   * @throws ApiError validation_failed, threshold_chain_not_offered, invalid_email, invalid_phone, invalid_user for an
   *   unknown user id, ambiguous_identifier, too_many_wallets, conflict
   */
  async create(
    environmentId: EnvironmentId,
    request: CreateUserWaasWalletsRequest,
    actor: KeyActor,
    work: Work,
  ): Promise<{ user: FullUser; created: boolean }> {
    const identifier = await this.identifiers.of(environmentId, request);
    const chains = chainsOf(request);
    return draftAndWrite(
      async (): Promise<AheadDraft> => {
        const { userId, known } = await this.identities.foresee(environmentId, identifier);
        const present = userId === null ? [] : await this.wallets.sharedChainsOf(environmentId, userId);
        const owner = { userId: userId ?? newId(), isNew: userId === null };
        const wallets = new Map<ThresholdChain, DealtWallet>();
        for (const chain of chains.filter((one) => !present.includes(one)))
          wallets.set(chain, await this.dealt.draft(environmentId, owner, chain));
        return { userId: owner.userId, known, wallets, keys: null };
      },
      ({ userId: newUserId, known, wallets }) =>
        work.run(async (tx) => {
          const options = { proven: false, newUserId, known, actor: actorOf(actor) };
          const { userId, created } = await this.identities.ensure(environmentId, identifier, options, tx);
          const missing = await this.missing(environmentId, userId, chains, tx);
          if (missing.length > 0 && userId !== newUserId) throw new StaleDraft();
          for (const chain of missing) {
            const wallet = wallets.get(chain);
            if (!wallet) throw new StaleDraft();
            await this.dealt.write(environmentId, userId, wallet, actor, tx);
          }
          const user = await this.users.getFull(environmentId, userId, tx);
          return { user, created: created || missing.length > 0 };
        }),
    );
  }

  /** Chains on which the user has no wallet with a shared key; none can be created by others before the commit. */
  private async missing(
    environmentId: EnvironmentId,
    userId: string,
    chains: readonly ThresholdChain[],
    tx: Transaction,
  ): Promise<ThresholdChain[]> {
    if (!(await this.wallets.lockUser(environmentId, userId, tx))) throw new StaleDraft();
    const present = await this.wallets.sharedChainsOf(environmentId, userId, tx);
    return chains.filter((chain) => !present.includes(chain));
  }
}

/** Without duplicates, in one order for all calls. @throws ApiError validation_failed, threshold_chain_not_offered */
function chainsOf({ chains }: CreateUserWaasWalletsRequest): ThresholdChain[] {
  if (chains.length === 0) throw invalidFields([{ field: 'chains', message: 'chains must not be empty' }]);
  const named = chains.map(chainOfDealtShares);
  return THRESHOLD_CHAINS.filter((chain) => named.includes(chain));
}
