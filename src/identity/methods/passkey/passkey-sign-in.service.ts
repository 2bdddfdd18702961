import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../../auth/index.js';
import type { EnvironmentId, Transaction } from '../../../database/index.js';
import { LinkFlow } from '../../flows/link/link.flow.js';
import { SignInFlow } from '../../flows/sign-in/sign-in.flow.js';
import { AccountNotices } from '../../notices/account-notices.js';
import type { SignedIn } from '../../sessions/signed-in.js';
import type { FullUser } from '../../users/full-user.js';
import type { PasskeyAuthRequest, PasskeyRegisterRequest } from './passkey-answer.dto.js';
import { passkeyActionTokenUnavailable } from './passkey.errors.js';
import { PasskeyMethod } from './passkey.method.js';
import { RegisteredFactor } from './registered-factor.js';

/** Client operations with passkeys: sign-in, or adding one to the signed-in user. */
@Injectable()
export class PasskeySignIn {
  constructor(
    private readonly method: PasskeyMethod,
    private readonly signIns: SignInFlow,
    private readonly links: LinkFlow,
    private readonly notices: AccountNotices,
    private readonly factor: RegisteredFactor,
  ) {}

  signIn(environmentId: EnvironmentId, answer: PasskeyAuthRequest, client: ClientOrigin): Promise<SignedIn<FullUser>> {
    const { captchaToken, requestedScopes, createMfaToken } = answer;
    if (createMfaToken) throw passkeyActionTokenUnavailable();
    return this.signIns.complete(environmentId, this.method, answer, { client, captchaToken, requestedScopes });
  }

  /** With `createMfaToken` the passkey is given as a second factor as well, in the same transaction. */
  async register(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    answer: PasskeyRegisterRequest,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    const { captchaToken, createMfaToken } = answer;
    const give = createMfaToken && (await this.factor.prepare(environmentId, caller, createMfaToken));
    let mfaToken: string | undefined;
    const first = async (tx: Transaction): Promise<void> => {
      mfaToken = await give?.(tx);
    };
    const options = { client, captchaToken, isNotifiedElsewhere: true, first };
    const addresses = await this.notices.addressesOf(environmentId, caller.userId);
    const signedIn = await this.links.complete(environmentId, caller, this.method, answer, options);
    await this.notices.tell(environmentId, addresses, { change: 'passkeyAdded', userAgent: client.userAgent });
    return { ...signedIn, ...(mfaToken && { mfaToken }) };
  }
}
