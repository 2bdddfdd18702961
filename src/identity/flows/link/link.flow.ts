import { Injectable } from '@nestjs/common';
import type { ClientOrigin, ElevatedScope, EndUserPrincipal } from '../../../auth/index.js';
import { unauthorized } from '../../../common/errors/index.js';
import { wasOvertaken, type EnvironmentId, type Transaction } from '../../../database/index.js';
import { failedAt } from '../../../providers/index.js';
import { AccountNotices } from '../../notices/account-notices.js';
import type { FullUser } from '../../users/full-user.js';
import type { ProfileAnswer } from '../profile/contact-check.js';
import { AdmittedChanges } from '../admission/admitted-changes.js';
import { CredentialTies } from '../proofs/credential-ties.js';
import { takingBack, type Proof } from '../proofs/proof.js';
import { ProofsAnew } from '../proofs/proofs-anew.js';
import { SessionAnswer } from '../sessions/session-answer.js';
import { SessionsRepository } from '../../sessions/sessions.repository.js';
import { SignInDoor } from '../proofs/sign-in-door.js';
import type { SignInMethod } from '../proofs/sign-in-method.js';

export interface LinkOptions {
  client: ClientOrigin;
  captchaToken?: string | undefined;
  /** Scopes for which the proof counts as fresh, for five minutes. */
  requestedScopes?: readonly ElevatedScope[] | undefined;
  /** Whether the method itself notifies the person that a credential was added. */
  isNotifiedElsewhere?: boolean;
  /** What else is done in the transaction that links, before anything is locked. */
  first?: (tx: Transaction) => Promise<void>;
}

/** A proof by a signed-in user: of a new credential, or again of one they have. */
@Injectable()
export class LinkFlow {
  constructor(
    private readonly door: SignInDoor,
    private readonly ties: CredentialTies,
    private readonly anew: ProofsAnew,
    private readonly answer: SessionAnswer,
    private readonly sessions: SessionsRepository,
    private readonly notices: AccountNotices,
    private readonly changes: AdmittedChanges,
  ) {}

  /**
   * Links what was proven to the user; a proven address or number becomes the main one. A new credential requires a
   * recent proof, ends the user's other sessions and is notified to the addresses they had before. With
   * `requestedScopes` it must be a fresh proof of a credential the user has, and changes nothing.
   * @throws ApiError 422 by `linking/decisions.ts` if it is another user's, 403 `fresh_proof_required`
   */
  async complete<Linking>(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    method: SignInMethod<never, Linking>,
    answer: Linking,
    options: LinkOptions,
  ): Promise<ProfileAnswer> {
    const { client, requestedScopes = [] } = options;
    await this.door.pass(environmentId, method, options);
    const proof = await method.link(environmentId, answer, caller, client).catch(failedAt(method.name));
    await this.door.assertLinkable(environmentId, caller.userId, proof);
    const proving =
      requestedScopes.length > 0
        ? this.anew.prove(environmentId, caller, proof)
        : this.tie(environmentId, caller, proof, options);
    const user = await proving
      .catch(takingBack(proof))
      .catch((error: unknown) => this.refuse(environmentId, caller, error));
    const elevation = { scopes: requestedScopes, provenAt: proof.assurance.at };
    return { ...(await this.answer.renew(environmentId, caller, user, client, elevation)), nextView: 'done' };
  }

  /** Whoever was merged or erased meanwhile is signed out, and can link nothing. */
  private async refuse(environmentId: EnvironmentId, { sessionId }: EndUserPrincipal, error: unknown): Promise<never> {
    if (wasOvertaken(error) && !(await this.sessions.findLive(environmentId, sessionId))) {
      throw unauthorized({ cause: error });
    }
    throw error;
  }

  private async tie(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    proof: Proof,
    { client, isNotifiedElsewhere = false, first }: LinkOptions,
  ): Promise<FullUser> {
    const tie = await this.ties.prepare(environmentId, caller, proof, client);
    const isNotified = tie.isNew && !isNotifiedElsewhere;
    const addresses = isNotified ? await this.notices.addressesOf(environmentId, caller.userId) : [];
    const { user } = await this.changes.run(environmentId, client, async (tx) => {
      await first?.(tx);
      return { user: await this.ties.tie(environmentId, caller, tie, proof, tx) };
    });
    const about = tie.shown[0].key.credential.format;
    await this.notices.tell(environmentId, addresses, {
      change: 'credentialLinked',
      about,
      userAgent: client.userAgent,
    });
    return user;
  }
}
