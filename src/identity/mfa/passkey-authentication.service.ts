import { Injectable } from '@nestjs/common';
import { freshProofRequired, type ClientOrigin, type EndUserPrincipal } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import type { PasskeyAuthRequest } from '../methods/passkey/passkey-answer.dto.js';
import { PasskeyCeremonies } from '../methods/passkey/passkey-ceremonies.js';
import { passkeyCopied, passkeyNotFound } from '../methods/passkey/passkey.errors.js';
import { PasskeysRepository } from '../methods/passkey/passkeys.repository.js';
import type { SignedIn } from '../sessions/signed-in.js';
import { MfaPasskeysRepository, type KnownPasskey } from './mfa-passkeys.repository.js';
import { MfaPolicy } from './mfa-policy.js';
import { MfaSession } from './mfa-session.js';
import { SignInPasskeys } from './sign-in-passkeys.service.js';
import { SecondFactorFlow, TOO_NEW, type GivenFactor } from './second-factor.flow.js';

/** A passkey as second factor: one registered as such, or one for sign-in. */
@Injectable()
export class PasskeyAuthentication {
  constructor(
    private readonly policy: MfaPolicy,
    private readonly session: MfaSession,
    private readonly ceremonies: PasskeyCeremonies,
    private readonly passkeys: MfaPasskeysRepository,
    private readonly ofSignIn: PasskeysRepository,
    private readonly signIns: SignInPasskeys,
    private readonly flow: SecondFactorFlow,
  ) {}

  /** @throws ApiError 422 of `passkey.errors.ts` and `mfa.errors.ts`, 403 `fresh_proof_required` */
  async authenticate(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    request: PasskeyAuthRequest,
    client: ClientOrigin,
  ): Promise<SignedIn> {
    const { createMfaToken, requestedScopes, ...answer } = request;
    const { userId } = caller;
    const passkey = await this.ofSignIn.findOfUser(environmentId, userId, request.id);
    if (passkey) return this.signIns.authenticate(environmentId, caller, { passkey, answer: request }, client);
    await this.policy.assertUsable(environmentId, 'passkey');
    const { createdAt } = await this.session.assertAnother(environmentId, caller, 'passkey');
    let known: KnownPasskey | null = null;
    const assertion = await this.ceremonies.assertionOf(environmentId, userId, answer, async (credentialId) => {
      known = await this.passkeys.findOfUser(environmentId, userId, credentialId);
      // With a stolen session, an attacker could register a device of their own, which proves nothing about the user.
      if (requestedScopes?.length && known && known.verifiedAt > createdAt) throw freshProofRequired({ hint: TOO_NEW });
      return known;
    });
    const {
      signCount,
      passkey: { id },
    } = assertion;
    const redeem: GivenFactor['redeem'] = async (tx) => {
      if (await this.passkeys.use(environmentId, id, signCount, tx)) return;
      // If the user is being deleted, the passkey is missing rather than copied.
      throw (await this.passkeys.find(environmentId, { id }, tx)) ? passkeyCopied() : passkeyNotFound();
    };
    const given = { factor: 'passkey', redeem, createMfaToken, requestedScopes } as const;
    return this.flow.complete(environmentId, caller, given, client);
  }
}
