import { Injectable } from '@nestjs/common';
import type { ClientOrigin, ElevatedScope, EndUserPrincipal } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { Captcha } from '../flows/captcha/captcha.js';
import type { ProfileAnswer } from '../flows/profile/contact-check.js';
import { LinkFlow } from '../flows/link/link.flow.js';
import { SignInFlow } from '../flows/sign-in/sign-in.flow.js';
import type { SignedIn } from '../sessions/signed-in.js';
import type { FullUser } from '../users/full-user.js';
import type { CodeAnswer, CodeMethod } from './code.method.js';
import { OneTimeCodes } from './one-time-codes.js';

/** A request for a code. */
export interface CodeRequest {
  address: string;
  captchaToken: string | undefined;
}

/** The code a client returns. */
export interface CodeReturn extends CodeAnswer {
  captchaToken?: string;
  sessionPublicKey?: string;
  requestedScopes?: ElevatedScope[];
}

/** Code operations for clients: requesting one, signing in with it, or linking its address. */
@Injectable()
export class CodeSignIn {
  constructor(
    private readonly codes: OneTimeCodes,
    private readonly captcha: Captcha,
    private readonly signIns: SignInFlow,
    private readonly links: LinkFlow,
  ) {}

  /** @returns the id of the verification */
  async start(
    environmentId: EnvironmentId,
    { channel }: CodeMethod,
    { address, captchaToken }: CodeRequest,
    client: ClientOrigin,
  ): Promise<string> {
    await this.captcha.assertPassed(environmentId, captchaToken, client);
    return this.codes.start(environmentId, channel, address, client);
  }

  async restart(
    environmentId: EnvironmentId,
    { channel }: CodeMethod,
    verificationId: string,
    { address, captchaToken }: CodeRequest,
    client: ClientOrigin,
  ): Promise<string> {
    await this.captcha.assertPassed(environmentId, captchaToken, client);
    return this.codes.restart(environmentId, channel, verificationId, address, client);
  }

  signIn(
    environmentId: EnvironmentId,
    method: CodeMethod,
    { captchaToken, sessionPublicKey, requestedScopes, ...answer }: CodeReturn,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    const options = { client, captchaToken, sessionPublicKey, requestedScopes };
    return this.signIns.complete(environmentId, method, answer, options);
  }

  link(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    method: CodeMethod,
    { captchaToken, requestedScopes, ...answer }: CodeReturn,
    client: ClientOrigin,
  ): Promise<ProfileAnswer> {
    return this.links.complete(environmentId, caller, method, answer, { client, captchaToken, requestedScopes });
  }
}
