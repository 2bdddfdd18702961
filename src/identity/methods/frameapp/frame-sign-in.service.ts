import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import type { ProfileAnswer } from '../../flows/profile/contact-check.js';
import { LinkFlow } from '../../flows/link/link.flow.js';
import { SignInFlow } from '../../flows/sign-in/sign-in.flow.js';
import type { SignedIn } from '../../sessions/signed-in.js';
import type { FullUser } from '../../users/full-user.js';
import type { FrameappSignInRequest } from './frame.dto.js';
import { FrameMethod } from './frame.method.js';

/** Client operations with frame network accounts: sign-in and linking. */
@Injectable()
export class FrameSignIn {
  constructor(
    private readonly method: FrameMethod,
    private readonly signIns: SignInFlow,
    private readonly links: LinkFlow,
  ) {}

  signIn(
    environmentId: EnvironmentId,
    { captchaToken, sessionPublicKey, ...answer }: FrameappSignInRequest,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    return this.signIns.complete(environmentId, this.method, answer, { client, captchaToken, sessionPublicKey });
  }

  link(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { captchaToken, ...answer }: FrameappSignInRequest,
    client: ClientOrigin,
  ): Promise<ProfileAnswer> {
    return this.links.complete(environmentId, caller, this.method, answer, { client, captchaToken });
  }
}
