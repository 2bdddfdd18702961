import { Injectable } from '@nestjs/common';
import { UnitOfWork, type EnvironmentId, type Transaction } from '../database/index.js';
import { EnvironmentSettingsReader } from '../environments/index.js';
import { UserIdentities, UserReader } from '../identity/index.js';
import type { EmbeddedChain } from './custody/embedded-chain.js';
import type {
  CreateUserEmbeddedWalletsFromFrameappRequest,
  CreateUserEmbeddedWalletsRequest,
} from './embedded-wallet.dto.js';
import { AccountOfAnotherUser, FrameUsers } from './frame-users.js';
import { frameUserOf, identifierOf } from './owner-identifier.js';
import { chosenChains, defaultChains } from './wallet-chains.js';
import { WalletMaker, type WalletOwner } from './wallet-maker.js';

export interface PreparedUser {
  readonly user: Awaited<ReturnType<UserReader['getFull']>>;
  /** Whether this call made the user or a wallet. */
  readonly created: boolean;
}

/**
 * Makes wallets ahead of their owners. Asking again is harmless: the user is answered as it is, and of many calls at
 * once for one user one makes each wallet while the others wait for it.
 */
@Injectable()
export class EmbeddedWalletsService {
  constructor(
    private readonly identities: UserIdentities,
    private readonly frameUsers: FrameUsers,
    private readonly maker: WalletMaker,
    private readonly users: UserReader,
    private readonly settings: EnvironmentSettingsReader,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * @throws ApiError validation_failed, invalid_email, invalid_phone, invalid_user for an unknown user id,
   *   ambiguous_identifier
   */
  async create(environmentId: EnvironmentId, request: CreateUserEmbeddedWalletsRequest): Promise<PreparedUser> {
    const identifier = identifierOf(request);
    return this.prepare(environmentId, await this.chainsOf(environmentId, request), (tx) =>
      this.identities.ensure(environmentId, identifier, { proven: false }, tx),
    );
  }

  /** @throws ApiError validation_failed, invalid_email, ambiguous_identifier */
  async createFromFrameapp(
    environmentId: EnvironmentId,
    request: CreateUserEmbeddedWalletsFromFrameappRequest,
  ): Promise<PreparedUser> {
    const frameUser = frameUserOf(request);
    const chains = await this.chainsOf(environmentId, request);
    try {
      return await this.prepare(environmentId, chains, (tx) =>
        this.frameUsers.ensureByEmail(environmentId, frameUser, tx),
      );
    } catch (error) {
      if (!(error instanceof AccountOfAnotherUser)) throw error;
      return this.prepare(environmentId, chains, (tx) => this.frameUsers.ensureByAccount(environmentId, frameUser, tx));
    }
  }

  private async chainsOf(
    environmentId: EnvironmentId,
    request: Pick<CreateUserEmbeddedWalletsRequest, 'chains' | 'chain'>,
  ): Promise<EmbeddedChain[]> {
    const chosen = chosenChains(request);
    if (chosen.length > 0) return chosen;
    const { sdk } = await this.settings.get(environmentId);
    return defaultChains(sdk.embeddedWallets?.chainConfigurations);
  }

  private async prepare(
    environmentId: EnvironmentId,
    chains: readonly EmbeddedChain[],
    ensureOwner: (tx: Transaction) => Promise<WalletOwner>,
  ): Promise<PreparedUser> {
    const { reading, created } = await this.work.run(async (tx) => {
      const owner = await ensureOwner(tx);
      const made = await this.maker.make(environmentId, owner, chains, tx);
      // Not waited for here, so that the commit travels with it.
      const reading = this.users.getFull(environmentId, owner.userId, tx);
      reading.catch(() => undefined);
      return { reading, created: owner.created || made > 0 };
    });
    return { user: await reading, created };
  }
}
