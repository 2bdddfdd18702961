import { Injectable } from '@nestjs/common';
import type { ClientOrigin, ElevatedScope, EndUserPrincipal } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { AdmittedChanges } from '../flows/admission/admitted-changes.js';
import { takingBack } from '../flows/proofs/proof.js';
import { SessionAnswer } from '../flows/sessions/session-answer.js';
import type { SignedIn } from '../sessions/signed-in.js';
import type { FullUser } from '../users/full-user.js';
import { UserReader } from '../users/user-reader.js';
import type { SecondFactor } from '../vocabulary/factors.js';
import { MfaSession } from './mfa-session.js';
import { MfaTokens } from './mfa-tokens.js';

/** Why a factor does not count as a fresh proof. */
export const TOO_NEW =
  'The device was registered in this session. Prove a credential that you had when the session began.';

export interface GivenFactor {
  factor: SecondFactor;
  /** The part that comes before the user is held, as at a sign-in, so that the two never deadlock. */
  redeemFirst?(tx: Transaction): Promise<void>;
  /** Uses up the factor, or checks what was used up first. @throws ApiError if another call was faster */
  redeem(tx: Transaction): Promise<void>;
  /** Undoes the count of the attempt, if a correct factor is refused. */
  takeBack?(): Promise<void>;
  createMfaToken?: { singleUse: boolean } | undefined;
  requestedScopes?: readonly ElevatedScope[] | undefined;
}

/** From a second factor to tokens, whatever the factor: using it up and raising the session commit together. */
@Injectable()
export class SecondFactorFlow {
  constructor(
    private readonly changes: AdmittedChanges,
    private readonly session: MfaSession,
    private readonly tokens: MfaTokens,
    private readonly users: UserReader,
    private readonly answer: SessionAnswer,
    private readonly clock: Clock,
  ) {}

  async complete(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    given: GivenFactor,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    const { factor, createMfaToken, requestedScopes = [] } = given;
    const provenAt = this.clock.now();
    const change = this.changes.run(environmentId, client, async (tx) => {
      await given.redeemFirst?.(tx);
      // The session is locked before the devices, as in a registration.
      await this.session.raise(environmentId, caller, factor, tx);
      await given.redeem(tx);
      const made = createMfaToken && (await this.tokens.create(environmentId, caller, createMfaToken, tx));
      return { user: await this.users.getFull(environmentId, caller.userId, tx), mfaToken: made };
    });
    const { user, mfaToken } = await change.catch(takingBack(given));
    const elevation = { scopes: requestedScopes, provenAt };
    const signedIn = await this.answer.renew(environmentId, caller, user, client, elevation);
    return { ...signedIn, ...(mfaToken && { mfaToken }) };
  }
}
