import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import { invalidFields } from '../../common/http/validation.pipe.js';
import { notFound } from '../../common/errors/index.js';
import { keyActorOf, type EmbeddedChain } from '../../custody/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { EnvironmentSettingsReader } from '../../environments/index.js';
import {
  AdmittedChanges,
  invalidSessionPublicKey,
  SessionAnswer,
  UserReader,
  type FullUser,
  type SignedIn,
} from '../../identity/index.js';
import type { CreateEmbeddedWalletParams, CreateEmbeddedWalletsRequest } from './own-wallet.dto.js';
import { chosenChains, defaultChains } from '../record/wallet-chains.js';
import { draftAndWrite } from '../making/wallet-drafts.js';
import { WalletMaker, type WantedWallets } from '../making/wallet-maker.js';
import { conflictingWalletProviders, linkedEmbeddedWallet, walletWithoutPasskey } from '../record/wallet.errors.js';
import { WalletsRepository } from '../record/wallets.repository.js';

/** Embedded wallets that users make for themselves: theirs from the start, so nothing has to be claimed. */
@Injectable()
export class OwnEmbeddedWalletsService {
  constructor(
    private readonly wallets: WalletsRepository,
    private readonly maker: WalletMaker,
    private readonly settings: EnvironmentSettingsReader,
    private readonly users: UserReader,
    private readonly answer: SessionAnswer,
    private readonly changes: AdmittedChanges,
  ) {}

  /**
   * @throws ApiError linked_embedded_wallet for a user who has an embedded wallet, hidden or not: of concurrent
   *   requests, one makes the wallets and the others get this error; wallet_address_taken
   */
  async create(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    request: CreateEmbeddedWalletsRequest,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    const { userId } = caller;
    const wanted = await this.wantedOf(environmentId, caller, request.embeddedWallets);
    if ((await this.wallets.chainsOf(environmentId, userId)).length > 0) throw linkedEmbeddedWallet();
    const { user } = await draftAndWrite(
      () => this.maker.draft(environmentId, wanted),
      (draft) =>
        this.changes.run(environmentId, client, async (tx) => {
          if (!(await this.wallets.lockUser(environmentId, userId, tx))) throw notFound();
          const present = await this.wallets.holdUser(environmentId, userId, tx);
          if (present && present.length > 0) throw linkedEmbeddedWallet();
          const made = await this.maker.make(environmentId, { userId, created: false }, wanted.chains, draft, tx);
          // The user has already imported the keys of all of them.
          if (made === 0) throw linkedEmbeddedWallet();
          return { user: await this.users.getFull(environmentId, userId, tx) };
        }),
    );
    return this.answer.renew(environmentId, caller, user, client);
  }

  private async wantedOf(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    asked: readonly CreateEmbeddedWalletParams[],
  ): Promise<WantedWallets> {
    if (asked.length === 0) {
      throw invalidFields([{ field: 'embeddedWallets', message: 'embeddedWallets must not be empty' }]);
    }
    asked.forEach(assertKept);
    const { sdk } = await this.settings.get(environmentId);
    const chains = asked.flatMap((one): EmbeddedChain[] => {
      const chosen = chosenChains(one);
      return chosen.length > 0 ? chosen : defaultChains(sdk.embeddedWallets?.chainConfigurations);
    });
    const [isWaas, ...others] = new Set(asked.map((one) => one.embeddedWalletProvider === 'platformWaas'));
    if (others.length > 0) throw conflictingWalletProviders();
    const version = isWaas ? 'V3' : (sdk.embeddedWallets?.defaultWalletVersion ?? 'V1');
    const about = { userId: caller.userId, isNew: false, claimed: true, actor: keyActorOf(caller) };
    return { ...about, version, chains: chosenChains({ chains }) };
  }
}

/** Refuses options that would have no effect. */
function assertKept(asked: CreateEmbeddedWalletParams): void {
  const { embeddedWalletSpecificOpts, isAuthenticatorAttached, passkeyAlias, sessionPublicKey } = asked;
  if (embeddedWalletSpecificOpts || isAuthenticatorAttached || passkeyAlias) throw walletWithoutPasskey();
  if (sessionPublicKey) {
    const hint = 'Send sessionPublicKey with the sign-in, and leave it out here.';
    throw invalidSessionPublicKey({ message: 'A session is given its public key when it begins.', hint });
  }
}
