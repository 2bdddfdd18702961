import { Injectable } from '@nestjs/common';
import { freshProofRequired, type ClientOrigin, type EndUserPrincipal } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { ProofsAnew } from '../flows/proofs/proofs-anew.js';
import { SessionAnswer } from '../flows/sessions/session-answer.js';
import type { PasskeyAuthRequest } from '../methods/passkey/passkey-answer.dto.js';
import { PasskeyMethod } from '../methods/passkey/passkey.method.js';
import type { OwnPasskey } from '../methods/passkey/passkeys.repository.js';
import type { SignedIn } from '../sessions/signed-in.js';
import { isAnother } from './factors.js';
import { MfaPolicy } from './mfa-policy.js';
import { MfaSession } from './mfa-session.js';
import { SecondFactorFlow, TOO_NEW, type GivenFactor } from './second-factor.flow.js';

/**
 * A passkey for sign-in, given by its signed-in user. It is a second factor of a session that another kind of factor
 * opened, in environments that have passkeys enabled as one; elsewhere it is a fresh proof. It makes no second factor due
 * (docs/decisions/0266).
 */
@Injectable()
export class SignInPasskeys {
  constructor(
    private readonly policy: MfaPolicy,
    private readonly session: MfaSession,
    private readonly method: PasskeyMethod,
    private readonly anew: ProofsAnew,
    private readonly answer: SessionAnswer,
    private readonly flow: SecondFactorFlow,
  ) {}

  /** @throws ApiError 422 of `passkey.errors.ts` and `mfa.errors.ts`, 403 `fresh_proof_required` */
  async authenticate(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    passkey: OwnPasskey,
    answer: PasskeyAuthRequest,
    client: ClientOrigin,
  ): Promise<SignedIn> {
    const { createMfaToken, requestedScopes = [] } = answer;
    const { methods } = await this.policy.read(environmentId);
    const session = await this.session.get(environmentId, caller);
    const isFactor = methods.includes('passkey') && isAnother(session.amr, 'passkey');
    if (!isFactor && requestedScopes.length > 0 && !createMfaToken) {
      return this.proveAnew(environmentId, caller, passkey, answer, client);
    }
    await this.policy.assertUsable(environmentId, 'passkey');
    await this.session.assertAnother(environmentId, caller, 'passkey');
    // With a stolen session, an attacker could register a passkey of their own, which proves nothing about the user.
    if (requestedScopes.length > 0 && passkey.createdAt > session.createdAt)
      throw freshProofRequired({ hint: TOO_NEW });
    const proof = await this.method.proveOwn(environmentId, passkey, answer);
    const redeem: GivenFactor['redeem'] = (tx) => proof.redeem(tx);
    return this.flow.complete(
      environmentId,
      caller,
      { factor: 'passkey', redeem, createMfaToken, requestedScopes },
      client,
    );
  }

  private async proveAnew(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    passkey: OwnPasskey,
    answer: PasskeyAuthRequest,
    client: ClientOrigin,
  ): Promise<SignedIn> {
    const proof = await this.method.proveOwn(environmentId, passkey, answer);
    const user = await this.anew.prove(environmentId, caller, proof);
    const elevation = { scopes: answer.requestedScopes ?? [], provenAt: proof.assurance.at };
    return this.answer.renew(environmentId, caller, user, client, elevation);
  }
}
