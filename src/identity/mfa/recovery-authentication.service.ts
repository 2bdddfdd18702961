import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import { Outbox, type EnvironmentId } from '../../database/index.js';
import type { SignedIn } from '../sessions/signed-in.js';
import { AccountNotices } from '../notices/account-notices.js';
import { MfaDevicesRepository } from './mfa-devices.repository.js';
import { MfaPolicy, takesRecoveryCodes } from './mfa-policy.js';
import { MfaRecoveryCodesRepository } from './mfa-recovery-codes.repository.js';
import type { MfaAuthRecoveryDevicePostRequest } from './mfa.dto.js';
import { mfaInvalidCode, mfaInvalidRequest, tooManyMfaAttempts } from './mfa.errors.js';
import { RECOVERY_CODE_USED, recoveryEvent } from './mfa.events.js';
import { recoveryHash } from './recovery-code.js';
import { SecondFactorFlow, type GivenFactor } from './second-factor.flow.js';

const NO_CODES = 'The environment takes no recovery codes for the devices of this user.';

/** A recovery code in place of a device. It completes a sign-in; it is never a fresh proof, nor a class of factors. */
@Injectable()
export class RecoveryAuthentication {
  constructor(
    private readonly policy: MfaPolicy,
    private readonly devices: MfaDevicesRepository,
    private readonly codes: MfaRecoveryCodesRepository,
    private readonly flow: SecondFactorFlow,
    private readonly outbox: Outbox,
    private readonly notices: AccountNotices,
  ) {}

  /** @throws ApiError 422 or 429 of `mfa.errors.ts` */
  async authenticate(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { code, createMfaToken }: MfaAuthRecoveryDevicePostRequest,
    client: ClientOrigin,
  ): Promise<SignedIn> {
    const { userId } = caller;
    const policy = await this.policy.read(environmentId);
    const devices = await this.devices.listOf(environmentId, userId);
    if (!takesRecoveryCodes(policy, devices)) throw mfaInvalidRequest({ hint: NO_CODES });
    if ((await this.codes.count(environmentId, userId)) === null) throw mfaInvalidCode();
    if (!(await this.codes.attempt(environmentId, userId))) {
      throw tooManyMfaAttempts({ retryAfterSeconds: await this.codes.waitSeconds(environmentId, userId) });
    }
    const hash = recoveryHash(code);
    const redeem: GivenFactor['redeem'] = async (tx) => {
      const count = await this.codes.use(environmentId, userId, hash, tx);
      if (count === null) throw mfaInvalidCode();
      await this.devices.endWaits(environmentId, userId, tx);
      await this.outbox.append(environmentId, [recoveryEvent(RECOVERY_CODE_USED, userId, count)], tx);
    };
    const takeBack = () => this.codes.takeBack(environmentId, userId, hash);
    const given = { factor: 'recovery', redeem, takeBack, createMfaToken } as const;
    const signedIn = await this.flow.complete(environmentId, caller, given, client);
    const addresses = await this.notices.addressesOf(environmentId, userId);
    await this.notices.tell(environmentId, addresses, { change: 'recoveryCodeUsed', userAgent: client.userAgent });
    return signedIn;
  }
}
