import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../../auth/index.js';
import type { EnvironmentId, Transaction } from '../../../database/index.js';
import { RecentProof } from '../../assurance/recent-proof.js';
import { decideLink, type CredentialKind, type Decision } from '../../linking/decisions.js';
import { SessionIssuer } from '../../sessions/session-issuer.js';
import type { FullUser } from '../../users/full-user.js';
import type { StoredProfile } from '../../users/profile-columns.js';
import { UserFacets } from '../../users/user-facets.js';
import { UserIdentities } from '../../users/user-identities.js';
import { UsersService } from '../../users/users.service.js';
import { admittedIdentifiers, type AdmittedIdentifier } from './admitted-identifiers.js';
import { credentialAlreadyLinked, emailAlreadyExists } from '../flow.errors.js';
import { REFUSALS } from './link-refusals.js';
import { Meetings } from './meetings.js';
import { MergeOffers } from './merge-offers.js';
import type { Proof } from './proof.js';
import { credentialOf } from './proof-owners.js';

/** Proven identifiers, about to be linked to the user. */
export interface Tie {
  shown: [AdmittedIdentifier, ...AdmittedIdentifier[]];
  /** False if all of it already belongs to the user. */
  isNew: boolean;
}

/** Turns what a signed-in user has proven into credentials of theirs. */
@Injectable()
export class CredentialTies {
  constructor(
    private readonly meetings: Meetings,
    private readonly offers: MergeOffers,
    private readonly recent: RecentProof,
    private readonly identities: UserIdentities,
    private readonly users: UsersService,
    private readonly sessions: SessionIssuer,
    private readonly facets: UserFacets,
  ) {}

  /**
   * Decides before the transaction what happens to each identifier. Anything new to the user requires a proof from the
   * last five minutes: a stolen session must not be able to add a permanent way in.
   * @throws ApiError 403 `fresh_proof_required`, 422 by `linking/decisions.ts`
   */
  async prepare(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    proof: Proof,
    client: ClientOrigin,
  ): Promise<Tie> {
    const admitted = admittedIdentifiers(proof.identifiers);
    const { amr, voucher } = proof.assurance;
    const approach = { amr, voucher, client };
    const met = await Promise.all(
      admitted.map(async (one) => {
        const { holder, other } = await this.meetings.look(environmentId, caller.userId, one.key, approach);
        return { one, other, decision: decideLink(one.key.kind as CredentialKind, holder) };
      }),
    );
    const isNew = met.some(({ decision }) => decision !== 'keep');
    if (isNew) await this.recent.assert(environmentId, caller, 'credential:link');
    const [main, ...others] = met;
    const settled = [main!, ...others.filter(isAsked)];
    for (const { one, other, decision } of settled) {
      if (decision === 'merge_accounts_confirmation' && other) {
        if (one.strength !== 'proven') throw takenBy(one);
        await this.offers.make(environmentId, caller, { other, key: one.key }, proof);
      }
      const refusal = REFUSALS[decision];
      if (refusal) throw refusal(payloadOf(one));
    }
    const [first, ...rest] = settled.map(({ one }) => one);
    const shown: Tie['shown'] = [first!, ...rest];
    return { shown, isNew };
  }

  /** Ends the user's other sessions if anything is new. */
  async tie(
    environmentId: EnvironmentId,
    { userId, sessionId }: EndUserPrincipal,
    { shown, isNew }: Tie,
    proof: Proof,
    tx: Transaction,
  ): Promise<FullUser> {
    await proof.redeem(tx);
    for (const one of shown) {
      // Another transaction was faster.
      if (!(await this.identities.attach(environmentId, userId, one.key, one.credential, tx))) throw takenBy(one);
    }
    if (isNew) await this.sessions.endOthers(environmentId, userId, sessionId, tx);
    this.facets.connect(environmentId, userId, shown, tx);
    const profile = shown.reduce<StoredProfile>((all, { key }) => ({ ...all, ...key.profile }), {});
    const user = await this.users.change(environmentId, userId, profile, userId, tx);
    const credentialId = credentialOf(user, shown[0]);
    await proof.kept?.store.keep(environmentId, { userId, credentialId }, proof.kept.tokens, tx);
    return user;
  }
}

/** Next to what was proven, an address that is only vouched for stays with its current user: addresses change hands. */
const isAsked = ({ one, decision }: { one: AdmittedIdentifier; decision: Decision }): boolean =>
  one.strength === 'proven' || decision === 'tie' || decision === 'keep';

const payloadOf = ({ key }: AdmittedIdentifier): { payload?: { email: string } } =>
  key.kind === 'email' ? { payload: { email: key.identifier } } : {};

const takenBy = (one: AdmittedIdentifier): Error =>
  one.key.kind === 'email' ? emailAlreadyExists(payloadOf(one)) : credentialAlreadyLinked();
