import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import type { IdentifierKey } from '../../credentials/identifier-key.js';
import { reassignWalletError } from '../../linking/linking.errors.js';
import { UserMergesRepository, type UserPair } from '../../linking/user-merges.repository.js';
import type { Session } from '../../sessions/session.entity.js';
import type { SignedIn } from '../../sessions/signed-in.js';
import type { FullUser } from '../../users/full-user.js';
import { UserFacets } from '../../users/user-facets.js';
import { UserIdentities } from '../../users/user-identities.js';
import { UsersService } from '../../users/users.service.js';
import { AdmittedChanges } from '../admission/admitted-changes.js';
import { AccountGuards } from '../proofs/account-guards.js';
import { admittedIdentifiers } from '../proofs/admitted-identifiers.js';
import type { Proof } from '../proofs/proof.js';
import { SessionReplacement } from '../sessions/session-replacement.js';
import { SignInMethods } from '../proofs/sign-in-method.js';

export interface Transfer {
  key: IdentifierKey;
  proof: Proof;
  /** The session of the user who receives the wallet. */
  session: Session;
  client: ClientOrigin;
  leavesNobody: boolean;
}

/** The transaction that moves a wallet to another user. */
@Injectable()
export class CredentialTransfers {
  constructor(
    private readonly changes: AdmittedChanges,
    private readonly merges: UserMergesRepository,
    private readonly guards: AccountGuards,
    private readonly methods: SignInMethods,
    private readonly facets: UserFacets,
    private readonly users: UsersService,
    private readonly identities: UserIdentities,
    private readonly sessions: SessionReplacement,
  ) {}

  /**
   * Signs both users out everywhere; the caller continues with a new session.
   * @throws ApiError 422 `reassign_wallet_error`
   */
  async move(
    environmentId: EnvironmentId,
    pair: UserPair,
    { key, proof, session, client, leavesNobody }: Transfer,
  ): Promise<SignedIn<FullUser>> {
    const { fromUserId, userId } = pair;
    const formats = this.methods.provenFormats;
    const isGuarded = await this.guards.against(environmentId, proof.assurance.amr);
    return this.sessions.replacing(environmentId, session, client, (replace) =>
      this.changes.run(environmentId, client, async (tx) => {
        // Before the users are held, as where a proof is linked, so that the two never deadlock.
        await proof.redeem(tx);
        await this.identities.assertProvable(environmentId, key, tx);
        if (!(await this.merges.lockUsers(environmentId, [fromUserId, userId], tx))) throw reassignWalletError();
        // A device may have been added, or an address proven, since the owner was checked.
        if (isGuarded(await this.users.read(environmentId, fromUserId, tx))) throw reassignWalletError();
        const moved = await this.merges.transfer(environmentId, pair, key, { leavesNobody, formats }, tx);
        if (moved.length === 0) throw reassignWalletError();
        for (const { walletId } of moved) {
          if (walletId) await this.facets.follow(environmentId, pair, walletId, tx);
        }
        await replace(fromUserId, tx);
        this.facets.connect(environmentId, userId, admittedIdentifiers(proof.identifiers), tx);
        await this.users.change(environmentId, fromUserId, {}, userId, tx);
        return { user: await this.users.change(environmentId, userId, {}, userId, tx) };
      }),
    );
  }
}
