import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import type { CustodyVersion, EmbeddedChain, KeyActor } from '../../custody/index.js';
import type { EnvironmentId, Transaction, Work } from '../../database/index.js';
import { EnvironmentSettingsReader } from '../../environments/index.js';
import { UserIdentities, UserReader, type ForeseenUser } from '../../identity/index.js';
import type {
  CreateUserEmbeddedWalletsFromFrameappRequest,
  CreateUserEmbeddedWalletsRequest,
} from '../record/embedded-wallet.dto.js';
import { AccountOfAnotherUser, FrameUsers } from '../claims/frame-users.js';
import { frameUserOf } from '../claims/owner-identifier.js';
import { OwnerIdentifiers } from '../claims/owner-identifiers.js';
import { chosenChains, defaultChains, type ChainChoice } from '../record/wallet-chains.js';
import { actorOf } from '../record/wallet-actor.js';
import { draftAndWrite } from '../making/wallet-drafts.js';
import { WalletMaker, type WalletDraft, type WalletOwner } from '../making/wallet-maker.js';

export interface PreparedUser {
  readonly user: Awaited<ReturnType<UserReader['getFull']>>;
  /** Whether this call created the user or a wallet. */
  readonly created: boolean;
}

/** The owner of the wallets, when only the transaction can determine it. */
interface OwnerSource {
  /** The version whose custodian makes the keys, if not the one in the settings. */
  readonly version?: CustodyVersion | undefined;
  /** What is known before the transaction. */
  foresee(): Promise<ForeseenUser>;
  /** @param newUserId the id of the user if one is created */
  ensure(newUserId: string, known: ForeseenUser['known'], tx: Transaction): Promise<WalletOwner>;
}

/**
 * Makes wallets ahead for their users. Idempotent: an existing user is returned as it is, and of concurrent calls for
 * one user one makes each wallet while the others wait for it.
 *
 * Keys are made, sealed and derived before the transaction, which then only inserts; unused keys are wiped.
 */
@Injectable()
export class EmbeddedWalletsService {
  constructor(
    private readonly identities: UserIdentities,
    private readonly identifiers: OwnerIdentifiers,
    private readonly frameUsers: FrameUsers,
    private readonly maker: WalletMaker,
    private readonly users: UserReader,
    private readonly settings: EnvironmentSettingsReader,
  ) {}

  /**
   * @param version whose custodian makes the keys; by default the one in the settings of the environment
   * @throws ApiError validation_failed, invalid_email, invalid_phone, invalid_user for an unknown user id,
   *   ambiguous_identifier, no_compatible_wallet_service_enabled, wallet_address_taken
   */
  async create(
    environmentId: EnvironmentId,
    request: CreateUserEmbeddedWalletsRequest,
    actor: KeyActor,
    work: Work,
    version?: CustodyVersion,
  ): Promise<PreparedUser> {
    const identifier = await this.identifiers.of(environmentId, request);
    return this.prepare(environmentId, request, actor, work, {
      version,
      foresee: () => this.identities.foresee(environmentId, identifier),
      ensure: (newUserId, known, tx) =>
        this.identities.ensure(
          environmentId,
          identifier,
          { proven: false, newUserId, known, actor: actorOf(actor) },
          tx,
        ),
    });
  }

  /**
   * @throws ApiError validation_failed, invalid_email, ambiguous_identifier, no_compatible_wallet_service_enabled,
   *   wallet_address_taken
   */
  async createFromFrameapp(
    environmentId: EnvironmentId,
    request: CreateUserEmbeddedWalletsFromFrameappRequest,
    actor: KeyActor,
    work: Work,
  ): Promise<PreparedUser> {
    const frameUser = frameUserOf(request);
    try {
      return await this.prepare(environmentId, request, actor, work, {
        foresee: () => this.identities.foresee(environmentId, frameUser.email),
        ensure: (newUserId, _known, tx) =>
          this.frameUsers.ensureByEmail(environmentId, frameUser, { newUserId, actor: actorOf(actor) }, tx),
      });
    } catch (error) {
      if (!(error instanceof AccountOfAnotherUser)) throw error;
      return this.prepare(environmentId, request, actor, work, {
        foresee: () => this.identities.foresee(environmentId, frameUser.account),
        ensure: (newUserId, _known, tx) =>
          this.frameUsers.ensureByAccount(environmentId, frameUser, { newUserId, actor: actorOf(actor) }, tx),
      });
    }
  }

  private async prepare(
    environmentId: EnvironmentId,
    choice: ChainChoice,
    actor: KeyActor,
    work: Work,
    owner: OwnerSource,
  ): Promise<PreparedUser> {
    const { sdk } = await this.settings.get(environmentId);
    const chosen = chosenChains(choice);
    const chains = chosen.length > 0 ? chosen : defaultChains(sdk.embeddedWallets?.chainConfigurations);
    const version = owner.version ?? sdk.embeddedWallets?.defaultWalletVersion ?? 'V1';
    let known: ForeseenUser['known'] = null;
    return draftAndWrite(
      async () => {
        const foreseen = await owner.foresee();
        ({ known } = foreseen);
        const { userId } = foreseen;
        const wanted = { userId: userId ?? newId(), isNew: userId === null, claimed: false, actor, version, chains };
        return this.maker.draft(environmentId, wanted);
      },
      (draft) => this.write(environmentId, draft, chains, { ...owner, known }, work),
    );
  }

  private async write(
    environmentId: EnvironmentId,
    draft: WalletDraft,
    chains: readonly EmbeddedChain[],
    source: OwnerSource & { known: ForeseenUser['known'] },
    work: Work,
  ): Promise<PreparedUser> {
    const { reading, created } = await work.run(async (tx) => {
      const owner = await source.ensure(draft.userId, source.known, tx);
      const made = await this.maker.make(environmentId, owner, chains, draft, tx);
      // Not awaited here, so that the commit goes out in the same round trip.
      const reading = this.users.getFull(environmentId, owner.userId, tx);
      reading.catch(() => undefined);
      return { reading, created: owner.created || made > 0 };
    });
    return { user: await reading, created };
  }
}
