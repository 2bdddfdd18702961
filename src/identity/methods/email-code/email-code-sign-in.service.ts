import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { LinkFlow } from '../../flows/link.flow.js';
import type { ProfileAnswer } from '../../flows/session-answer.js';
import { SignInFlow } from '../../flows/sign-in.flow.js';
import { SessionIssuer } from '../../sessions/session-issuer.js';
import type { SignedIn } from '../../sessions/signed-in.js';
import type { FullUser } from '../../users/full-user.js';
import { emailCodeProof } from './email-code.proof.js';
import { EmailCodes } from './email-codes.service.js';
import type { EmailVerificationVerifyRequest } from './email-verification.dto.js';

/** What a right code is good for: to sign in, or to tie the address to the user who is signed in. */
@Injectable()
export class EmailCodeSignIn {
  constructor(
    private readonly codes: EmailCodes,
    private readonly flow: SignInFlow,
    private readonly links: LinkFlow,
    private readonly issuer: SessionIssuer,
  ) {}

  async signIn(
    environmentId: EnvironmentId,
    { verificationUUID, verificationToken, sessionPublicKey }: EmailVerificationVerifyRequest,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    this.issuer.assertPublicKey(sessionPublicKey);
    const proven = await this.codes.prove(environmentId, verificationUUID, verificationToken);
    return this.flow.complete(environmentId, emailCodeProof(proven), { client, sessionPublicKey });
  }

  async link(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { verificationUUID, verificationToken }: EmailVerificationVerifyRequest,
    client: ClientOrigin,
  ): Promise<ProfileAnswer> {
    const proven = await this.codes.prove(environmentId, verificationUUID, verificationToken);
    return this.links.linkEmail(environmentId, caller, proven, client);
  }
}
