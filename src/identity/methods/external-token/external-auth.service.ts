import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { SignInFlow } from '../../flows/sign-in/sign-in.flow.js';
import type { SignedIn } from '../../sessions/signed-in.js';
import type { FullUser } from '../../users/full-user.js';
import type { ExternalAuthSigninRequest } from './external-token.dto.js';
import { externalVerifyRetired } from './external-token.errors.js';
import { ExternalTokenMethod } from './external-token.method.js';

/** The client API of sign-in with an external token. */
@Injectable()
export class ExternalAuth {
  constructor(
    private readonly method: ExternalTokenMethod,
    private readonly signIns: SignInFlow,
  ) {}

  signIn(
    environmentId: EnvironmentId,
    { jwt, captchaToken, sessionPublicKey }: ExternalAuthSigninRequest,
    { client, cookies }: { client: ClientOrigin; cookies: string | undefined },
  ): Promise<SignedIn<FullUser>> {
    return this.signIns.complete(
      environmentId,
      this.method,
      { jwt, cookies },
      { client, captchaToken, sessionPublicKey },
    );
  }

  /** @throws ApiError 410, whatever was sent */
  verify(): never {
    throw externalVerifyRetired();
  }
}
