import { Injectable } from '@nestjs/common';
import {
  freshProofRequired,
  type ClientOrigin,
  type ElevatedScope,
  type EndUserPrincipal,
} from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { failedAt } from '../../../providers/index.js';
import { RecentProof } from '../../assurance/recent-proof.js';
import { decideTransfer } from '../../linking/decisions.js';
import { reassignWalletError } from '../../linking/linking.errors.js';
import { AccountNotices } from '../../notices/account-notices.js';
import type { SignedIn } from '../../sessions/signed-in.js';
import type { FullUser } from '../../users/full-user.js';
import { admittedIdentifiers } from '../proofs/admitted-identifiers.js';
import { CredentialTransfers } from './credential-transfers.js';
import { REFUSALS } from '../proofs/link-refusals.js';
import { Meetings } from '../proofs/meetings.js';
import { MergeOffers } from '../proofs/merge-offers.js';
import { SignInDoor } from '../proofs/sign-in-door.js';
import type { SignInMethod } from '../proofs/sign-in-method.js';

export interface TransferOptions {
  client: ClientOrigin;
  captchaToken?: string | undefined;
  /** Whether the wallet may move even if its owner has no other way to sign in. */
  leavesNobody: boolean;
  requestedScopes?: readonly ElevatedScope[] | undefined;
}

const NO_PROOF =
  'A wallet that was another account’s proves nothing about this one: move it without `requestedScopes`, and prove a credential that you had when this session began.';

/** Moves a wallet from its owner to the signed-in user who signs with it. */
@Injectable()
export class TransferFlow {
  constructor(
    private readonly door: SignInDoor,
    private readonly recent: RecentProof,
    private readonly meetings: Meetings,
    private readonly offers: MergeOffers,
    private readonly transfers: CredentialTransfers,
    private readonly notices: AccountNotices,
  ) {}

  /** @throws ApiError 403 `fresh_proof_required`, 422 by `linking/decisions.ts` */
  async complete<Linking>(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    method: SignInMethod<never, Linking>,
    answer: Linking,
    options: TransferOptions,
  ): Promise<SignedIn<FullUser>> {
    const { client, leavesNobody, requestedScopes = [] } = options;
    if (requestedScopes.length > 0) throw freshProofRequired({ hint: NO_PROOF });
    await this.door.pass(environmentId, method, options);
    const proof = await method.link(environmentId, answer, caller, client).catch(failedAt(method.name));
    await this.door.assertLinkable(environmentId, caller.userId, proof);
    const session = await this.recent.assert(environmentId, caller, 'credential:link');
    const [{ key }] = admittedIdentifiers(proof.identifiers);
    const { amr, voucher } = proof.assurance;
    const approach = { amr, voucher, client };
    const { holder, other } = await this.meetings.look(environmentId, caller.userId, key, approach);
    const decision = decideTransfer(holder, leavesNobody);
    if (decision === 'merge_accounts_confirmation' && other) {
      return this.offers.make(environmentId, caller, { other, key }, proof);
    }
    if (decision !== 'move' || !other) throw (REFUSALS[decision] ?? reassignWalletError)();
    const addresses = await this.notices.addressesOf(environmentId, other.id);
    const own = await this.notices.addressesOf(environmentId, caller.userId);
    const move = { fromUserId: other.id, userId: caller.userId };
    const signedIn = await this.transfers.move(environmentId, move, { key, proof, session, client, leavesNobody });
    const about = key.credential.format;
    await this.notices.tell(environmentId, addresses, { change: 'walletMoved', about, userAgent: client.userAgent });
    await this.notices.tell(environmentId, own, { change: 'credentialLinked', about, userAgent: client.userAgent });
    return signedIn;
  }
}
