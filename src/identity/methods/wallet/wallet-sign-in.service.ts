import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import type { ProfileAnswer } from '../../flows/profile/contact-check.js';
import { LinkFlow } from '../../flows/link/link.flow.js';
import { TransferFlow } from '../../flows/link/transfer.flow.js';
import { SignInFlow } from '../../flows/sign-in/sign-in.flow.js';
import type { SignedIn } from '../../sessions/signed-in.js';
import type { FullUser } from '../../users/full-user.js';
import { WalletMethod } from './wallet.method.js';
import type { VerifyRequest } from './wallet.dto.js';

/** Client operations with wallets: sign-in and linking. */
@Injectable()
export class WalletSignIn {
  constructor(
    private readonly method: WalletMethod,
    private readonly signIns: SignInFlow,
    private readonly links: LinkFlow,
    private readonly transfers: TransferFlow,
  ) {}

  signIn(
    environmentId: EnvironmentId,
    { captchaToken, sessionPublicKey, requestedScopes, ...answer }: VerifyRequest,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    const options = { client, captchaToken, sessionPublicKey, requestedScopes };
    return this.signIns.complete(environmentId, this.method, answer, options);
  }

  link(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { captchaToken, requestedScopes, ...answer }: VerifyRequest,
    client: ClientOrigin,
  ): Promise<ProfileAnswer> {
    return this.links.complete(environmentId, caller, this.method, answer, { client, captchaToken, requestedScopes });
  }

  transfer(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { captchaToken, skipEmptyAccountCheck = false, requestedScopes, ...answer }: VerifyRequest,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    const options = { client, captchaToken, leavesNobody: skipEmptyAccountCheck, requestedScopes };
    return this.transfers.complete(environmentId, caller, this.method, answer, options);
  }
}
