import { Injectable } from '@nestjs/common';
import { freshProofRequired, type ClientOrigin, type ElevatedScope, type EndUserPrincipal } from '../../auth/index.js';
import { unauthorized } from '../../common/errors/index.js';
import { UnitOfWork, type EnvironmentId, type Transaction } from '../../database/index.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import type { FullUser } from '../users/full-user.js';
import type { StoredProfile } from '../users/profile-columns.js';
import { UserIdentities } from '../users/user-identities.js';
import { UsersService } from '../users/users.service.js';
import { admittedIdentifiers, type AdmittedIdentifier } from './admitted-identifiers.js';
import type { ProfileAnswer } from './contact-check.js';
import { credentialAlreadyLinked, emailAlreadyExists } from './flow.errors.js';
import type { Proof } from './proof.js';
import { credentialOf } from './proof-owners.js';
import { SessionAnswer } from './session-answer.js';
import { SignInDoor } from './sign-in-door.js';
import type { SignInMethod } from './sign-in-method.js';

export interface LinkOptions {
  client: ClientOrigin;
  captchaToken?: string | undefined;
  /** What the proof is to be good for, for five minutes. */
  requestedScopes?: readonly ElevatedScope[] | undefined;
}

/** What a signed-in user proves: a credential that is new to them, or once more one that they have. */
@Injectable()
export class LinkFlow {
  constructor(
    private readonly door: SignInDoor,
    private readonly identities: UserIdentities,
    private readonly users: UsersService,
    private readonly sessions: SessionsRepository,
    private readonly answer: SessionAnswer,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Ties what was proven to the user; a proven address or number becomes the main one. With `requestedScopes` the proof is
   * a fresh one of a credential that the user has, and changes nothing.
   * @throws ApiError 422 `email_already_exists` or `credential_already_linked` when another user has proven it, 403
   *   `fresh_proof_required` when `requestedScopes` are asked for with a credential that is new
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
    const proof = await method.link(environmentId, answer, caller, client);
    const user = await (requestedScopes.length > 0
      ? this.proveAnew(environmentId, caller, proof)
      : this.work.run((tx) => this.tie(environmentId, caller, proof, tx)));
    const elevation = { scopes: requestedScopes, provenAt: proof.assurance.at };
    return { ...(await this.answer.renew(environmentId, caller, user, client, elevation)), nextView: 'done' };
  }

  private async tie(
    environmentId: EnvironmentId,
    { userId }: EndUserPrincipal,
    proof: Proof,
    tx: Transaction,
  ): Promise<FullUser> {
    const shown = admittedIdentifiers(proof.identifiers);
    await proof.redeem(tx);
    for (const { key, credential } of shown) {
      if (!(await this.identities.attach(environmentId, userId, key, credential, tx))) throw takenBy(key);
    }
    const profile = shown.reduce<StoredProfile>((all, { key }) => ({ ...all, ...key.profile }), {});
    const user = await this.users.change(environmentId, userId, profile, userId, tx);
    const credentialId = credentialOf(user, shown[0]);
    await proof.kept?.store.keep(environmentId, { userId, credentialId }, proof.kept.tokens, tx);
    return user;
  }

  /**
   * Whoever holds a stolen session can prove an address of their own and tie it to the user. So a proof is fresh only by
   * a credential that had been proven when the session began.
   */
  private async proveAnew(
    environmentId: EnvironmentId,
    { userId, sessionId }: EndUserPrincipal,
    proof: Proof,
  ): Promise<FullUser> {
    const [{ key }] = admittedIdentifiers(proof.identifiers);
    const session = await this.sessions.findLive(environmentId, sessionId);
    if (!session) throw unauthorized();
    return this.work.run(async (tx) => {
      await proof.redeem(tx);
      const provenAt = await this.identities.provenSince(environmentId, userId, key, tx);
      if (!provenAt || provenAt > session.createdAt) throw freshProofRequired({ hint: UNKNOWN_CREDENTIAL });
      return this.users.read(environmentId, userId, tx);
    });
  }
}

const UNKNOWN_CREDENTIAL = 'Prove a credential that you had when this session began, or sign in again with it.';

const takenBy = ({ kind, identifier }: AdmittedIdentifier['key']): Error =>
  kind === 'email' ? emailAlreadyExists({ payload: { email: identifier } }) : credentialAlreadyLinked();
