import { Injectable } from '@nestjs/common';
import { freshProofRequired, type ClientOrigin, type EndUserPrincipal } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { OneTimeCodes } from '../codes/one-time-codes.js';
import { identifierKeyOf } from '../credentials/identifier-key.js';
import { EmailChannel } from '../methods/email-code/email.channel.js';
import type { SignedIn } from '../sessions/signed-in.js';
import { UserIdentities } from '../users/user-identities.js';
import type { EmailVerificationMfaRequest } from './mfa.dto.js';
import { mfaInvalidRequest } from './mfa.errors.js';
import { MfaPolicy } from './mfa-policy.js';
import { MfaSession } from './mfa-session.js';
import { SecondFactorFlow, type GivenFactor } from './second-factor.flow.js';

const NOT_THEIRS = 'The code has to go to an address that the user has proven.';
const TOO_NEW = 'The address was proven in this session. Prove a credential that you had when the session began.';

/** A code emailed to a proven address as second factor, for users who did not sign in with such a code. */
@Injectable()
export class EmailAuthentication {
  constructor(
    private readonly policy: MfaPolicy,
    private readonly session: MfaSession,
    private readonly codes: OneTimeCodes,
    private readonly channel: EmailChannel,
    private readonly identities: UserIdentities,
    private readonly flow: SecondFactorFlow,
  ) {}

  /** @throws ApiError 422 or 429 of the code and of `mfa.errors.ts`, 403 `fresh_proof_required` */
  async authenticate(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { verificationUUID: verificationId, verificationToken: code, ...wanted }: EmailVerificationMfaRequest,
    client: ClientOrigin,
  ): Promise<SignedIn> {
    await this.policy.assertUsable(environmentId, 'email');
    const { createdAt } = await this.session.assertAnother(environmentId, caller, 'email');
    const proof = await this.codes.prove(environmentId, this.channel, { verificationId, code }, client);
    const key = identifierKeyOf({ kind: 'email', value: proof.address });
    const redeem: GivenFactor['redeem'] = async (tx) => {
      const provenAt = await this.identities.provenSince(environmentId, caller.userId, key, tx);
      if (!provenAt) throw mfaInvalidRequest({ hint: NOT_THEIRS });
      // With a stolen session, an attacker could link an address of their own to the user.
      if (wanted.requestedScopes?.length && provenAt > createdAt) throw freshProofRequired({ hint: TOO_NEW });
    };
    const { redeem: redeemFirst, takeBack } = proof;
    const given = { ...wanted, factor: 'email', redeemFirst, redeem, takeBack } as const;
    return this.flow.complete(environmentId, caller, given, client);
  }
}
