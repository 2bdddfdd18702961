import { Injectable, type OnModuleInit } from '@nestjs/common';
import { freshProofRequired, type ClientOrigin, type EndUserPrincipal } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { ProofsAnew } from '../flows/proofs/proofs-anew.js';
import { SessionAnswer } from '../flows/sessions/session-answer.js';
import type { CreateMfaToken } from '../flows/step-up/create-mfa-token.dto.js';
import type { PasskeyAuthRequest } from '../methods/passkey/passkey-answer.dto.js';
import { PasskeyMethod } from '../methods/passkey/passkey.method.js';
import type { OwnPasskey } from '../methods/passkey/passkeys.repository.js';
import { RegisteredFactor, type FactorGiver, type FactorGiving } from '../methods/passkey/registered-factor.js';
import type { SignedIn } from '../sessions/signed-in.js';
import { isAnother } from './factors.js';
import { MfaPolicy } from './mfa-policy.js';
import { MfaSession } from './mfa-session.js';
import { MfaTokens } from './mfa-tokens.js';
import { SecondFactorFlow, TOO_NEW, type GivenFactor } from './second-factor.flow.js';

/** What a browser answered with a passkey of its user. */
export interface OwnAnswer {
  passkey: OwnPasskey;
  answer: PasskeyAuthRequest;
}

/**
 * A passkey for sign-in, given by its signed-in user. It is a second factor of a session that another kind of factor
 * opened, in environments that have passkeys enabled as one; elsewhere it is a fresh proof. It makes no second factor due
 * (docs/decisions/0266).
 */
@Injectable()
export class SignInPasskeys implements FactorGiver, OnModuleInit {
  constructor(
    private readonly policy: MfaPolicy,
    private readonly session: MfaSession,
    private readonly method: PasskeyMethod,
    private readonly anew: ProofsAnew,
    private readonly answer: SessionAnswer,
    private readonly flow: SecondFactorFlow,
    private readonly tokens: MfaTokens,
    private readonly registered: RegisteredFactor,
  ) {}

  onModuleInit(): void {
    this.registered.register(this);
  }

  /** @throws ApiError 422 of `passkey.errors.ts` and `mfa.errors.ts`, 403 `fresh_proof_required` */
  async authenticate(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    given: OwnAnswer,
    client: ClientOrigin,
  ): Promise<SignedIn> {
    const { passkey, answer } = given;
    const { createMfaToken, requestedScopes = [] } = answer;
    const { methods } = await this.policy.read(environmentId);
    const session = await this.session.get(environmentId, caller);
    const isFactor = methods.includes('passkey') && isAnother(session.amr, 'passkey');
    if (!isFactor && requestedScopes.length > 0 && !createMfaToken) {
      return this.proveAnew(environmentId, caller, given, client);
    }
    await this.assertFactor(environmentId, caller);
    // With a stolen session, an attacker could register a passkey of their own, which proves nothing about the user.
    if (requestedScopes.length > 0 && passkey.createdAt > session.createdAt)
      throw freshProofRequired({ hint: TOO_NEW });
    const proof = await this.method.proveOwn(environmentId, passkey, answer);
    const redeem: GivenFactor['redeem'] = (tx) => proof.redeem(tx);
    const factor = { factor: 'passkey', redeem, createMfaToken, requestedScopes } as const;
    return this.flow.complete(environmentId, caller, factor, client);
  }

  /**
   * The passkey that is being registered, as if it were given right after. It yields no fresh proof: like any that is
   * newer than the session, it proves nothing about the user.
   */
  async prepare(environmentId: EnvironmentId, caller: EndUserPrincipal, token: CreateMfaToken): Promise<FactorGiving> {
    await this.assertFactor(environmentId, caller);
    return async (tx) => {
      await this.session.raise(environmentId, caller, 'passkey', tx);
      return this.tokens.create(environmentId, caller, token, tx);
    };
  }

  /** @throws ApiError 422 of `mfa.errors.ts` where it is no second factor of the session */
  private async assertFactor(environmentId: EnvironmentId, caller: EndUserPrincipal): Promise<void> {
    await this.policy.assertUsable(environmentId, 'passkey');
    await this.session.assertAnother(environmentId, caller, 'passkey');
  }

  private async proveAnew(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { passkey, answer }: OwnAnswer,
    client: ClientOrigin,
  ): Promise<SignedIn> {
    const proof = await this.method.proveOwn(environmentId, passkey, answer);
    const user = await this.anew.prove(environmentId, caller, proof);
    const elevation = { scopes: answer.requestedScopes ?? [], provenAt: proof.assurance.at };
    return this.answer.renew(environmentId, caller, user, client, elevation);
  }
}
