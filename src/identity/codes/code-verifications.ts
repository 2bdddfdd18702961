import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import type { ProfileAnswer } from '../flows/profile/contact-check.js';
import type { SignedIn } from '../sessions/signed-in.js';
import type { FullUser } from '../users/full-user.js';
import type { CodeReturn, CodeSignIn } from './code-sign-in.service.js';
import type { CodeMethod } from './code.method.js';

/** The client API of one channel's codes. Requests differ between channels; returning a code does not. */
export abstract class CodeVerifications {
  constructor(
    protected readonly method: CodeMethod,
    protected readonly codes: CodeSignIn,
  ) {}

  signIn(environmentId: EnvironmentId, body: CodeReturn, client: ClientOrigin): Promise<SignedIn<FullUser>> {
    return this.codes.signIn(environmentId, this.method, body, client);
  }

  link(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    body: CodeReturn,
    client: ClientOrigin,
  ): Promise<ProfileAnswer> {
    return this.codes.link(environmentId, caller, this.method, body, client);
  }
}
