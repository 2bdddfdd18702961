import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../../auth/index.js';
import { notFound } from '../../../common/errors/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import type { ProfileAnswer } from '../../flows/profile/contact-check.js';
import { LinkFlow } from '../../flows/link/link.flow.js';
import type { OauthResultRequest } from '../../flows/sign-in/oauth-result.dto.js';
import { SignInFlow } from '../../flows/sign-in/sign-in.flow.js';
import type { SignedIn } from '../../sessions/signed-in.js';
import type { FullUser } from '../../users/full-user.js';
import { UserIdentities } from '../../users/user-identities.js';
import { TelegramLogins, type LoginAnswer } from './telegram-logins.service.js';
import { TELEGRAM, TelegramMethod } from './telegram.method.js';

/** The origin of a call, with its cookies. */
export interface TelegramClient {
  client: ClientOrigin;
  cookies: string | undefined;
}

/** Client operations with the messaging network: checking for a known account, sign-in, linking. */
@Injectable()
export class TelegramSignIn {
  constructor(
    private readonly method: TelegramMethod,
    private readonly logins: TelegramLogins,
    private readonly identities: UserIdentities,
    private readonly signIns: SignInFlow,
    private readonly links: LinkFlow,
  ) {}

  /** Available only with proof of the account. @throws ApiError 404 if no user has it */
  async check(environmentId: EnvironmentId, request: OauthResultRequest, cookies: string | undefined): Promise<void> {
    const { login } = await this.logins.read(environmentId, answerOf(request, cookies));
    const identifier = { kind: 'socialAccountId', provider: TELEGRAM, value: login.account.id } as const;
    if (!(await this.identities.expect(environmentId, identifier))) throw notFound();
  }

  signIn(
    environmentId: EnvironmentId,
    request: OauthResultRequest,
    { client, cookies }: TelegramClient,
  ): Promise<SignedIn<FullUser>> {
    const { captchaToken, sessionPublicKey, forceCreateUser } = request;
    const answer = { ...answerOf(request, cookies), mustBeKnown: forceCreateUser === false };
    return this.signIns.complete(environmentId, this.method, answer, { client, captchaToken, sessionPublicKey });
  }

  link(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    request: OauthResultRequest,
    { client, cookies }: TelegramClient,
  ): Promise<ProfileAnswer> {
    const { captchaToken } = request;
    return this.links.complete(environmentId, caller, this.method, answerOf(request, cookies), {
      client,
      captchaToken,
    });
  }
}

const answerOf = ({ state, telegramAuthToken }: OauthResultRequest, cookies: string | undefined): LoginAnswer => ({
  state,
  telegramAuthToken,
  cookies,
});
