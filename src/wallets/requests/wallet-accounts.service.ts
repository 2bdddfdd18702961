import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import { keyActorOf, type EmbeddedChain } from '../../custody/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { AdmittedChanges, SessionAnswer, UserReader, type FullUser, type SignedIn } from '../../identity/index.js';
import { draftAndWrite } from '../making/wallet-drafts.js';
import { WalletMaker } from '../making/wallet-maker.js';
import { noHdWalletFound, signedRequestRefused, walletAccountExists } from '../record/wallet.errors.js';
import type { KeyvaultCreateWalletAccountsRequestBody, KeyvaultSignedRequest } from './key-request.dto.js';
import { chainAskedFor, CREATE_ACCOUNTS, createAccountBody } from './request-bodies.js';
import { SignedRequests } from './signed-requests.service.js';

/** Accounts on further chains, from the user's seed. */
@Injectable()
export class WalletAccounts {
  constructor(
    private readonly requests: SignedRequests,
    private readonly maker: WalletMaker,
    private readonly users: UserReader,
    private readonly answer: SessionAnswer,
    private readonly changes: AdmittedChanges,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError no_hd_wallet_found */
  async prepare(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    chain: EmbeddedChain,
  ): Promise<KeyvaultCreateWalletAccountsRequestBody> {
    const keys = await this.requests.keysOf(environmentId, caller);
    if (!keys.isSeed) throw noHdWalletFound();
    return createAccountBody(keys, chain, this.clock.now());
  }

  /**
   * @throws ApiError signed_request_refused, no_hd_wallet_found, wallet_address_taken, wallet_signs_in,
   *   wallet_account_exists_for_chain: of concurrent calls, one creates the account
   */
  async create(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    signed: KeyvaultSignedRequest,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    const { userId } = caller;
    const request = await this.requests.verify(environmentId, caller, signed, CREATE_ACCOUNTS);
    if (!request.keys.isSeed) throw noHdWalletFound();
    const chain = chainAskedFor(request.parameters['accounts']);
    if (!chain || request.parameters['walletId'] !== request.keys.keysId) {
      throw signedRequestRefused({ payload: { reason: 'it is not the request that was prepared' } });
    }
    const wanted = {
      userId,
      isNew: false,
      claimed: true,
      actor: keyActorOf(caller),
      version: 'V1',
      chains: [chain],
    } as const;
    const { user } = await draftAndWrite(
      () => this.maker.draft(environmentId, wanted),
      (draft) =>
        this.changes.run(environmentId, client, async (tx) => {
          await request.use(tx);
          const made = await this.maker.make(environmentId, { userId, created: false }, wanted.chains, draft, tx);
          if (made === 0) throw walletAccountExists();
          return { user: await this.users.getFull(environmentId, userId, tx) };
        }),
    );
    return this.answer.renew(environmentId, caller, user, client);
  }
}
