import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { Outbox, UnitOfWork, type EnvironmentId, type Transaction } from '../../database/index.js';
import { RecentProof } from '../assurance/recent-proof.js';
import { UsersService } from '../users/users.service.js';
import { hasSecondFactor } from './factors.js';
import { MfaDevicesRepository } from './mfa-devices.repository.js';
import { MfaRecoveryCodesRepository } from './mfa-recovery-codes.repository.js';
import { MfaPolicy, takesRecoveryCodes } from './mfa-policy.js';
import { MfaSession } from './mfa-session.js';
import type { MfaGetRecoveryCodesResponse, MfaRegenRecoveryCodesResponse } from './mfa.dto.js';
import { secondFactorRequired } from './mfa.errors.js';
import { RECOVERY_CODES_REPLACED, recoveryEvent } from './mfa.events.js';
import { newRecoveryCodes, recoveryHash } from './recovery-code.js';

const NO_DEVICE = 'The user has no second factor here that a recovery code may replace.';

/**
 * Codes for when the device is lost. They are shown once; later only their number can be read. They amount to a second
 * factor for any action, so reading them requires a proof from the last five minutes.
 */
@Injectable()
export class RecoveryCodes {
  constructor(
    private readonly codes: MfaRecoveryCodesRepository,
    private readonly devices: MfaDevicesRepository,
    private readonly policy: MfaPolicy,
    private readonly session: MfaSession,
    private readonly recent: RecentProof,
    private readonly users: UsersService,
    private readonly work: UnitOfWork,
    private readonly outbox: Outbox,
  ) {}

  /**
   * The first codes are created on request by a user who gave the second factor; of concurrent calls, one returns them.
   * None are where the environment would not accept them: they would only seem to be a way back in.
   * @throws ApiError 403 `fresh_proof_required` if they would be created
   */
  async read(environmentId: EnvironmentId, caller: EndUserPrincipal): Promise<MfaGetRecoveryCodesResponse> {
    const { userId } = caller;
    const count = await this.codes.count(environmentId, userId);
    if (count !== null) return { count, recoveryCodes: [] };
    const { amr } = await this.session.get(environmentId, caller);
    if (!hasSecondFactor(amr) || !(await this.areTaken(environmentId, userId))) return { count: 0, recoveryCodes: [] };
    await this.recent.assert(environmentId, caller, 'credential:link');
    const made = await this.make(environmentId, userId, (hashes, tx) =>
      this.codes.add(environmentId, userId, hashes, tx),
    );
    return made ?? { count: (await this.codes.count(environmentId, userId)) ?? 0, recoveryCodes: [] };
  }

  /**
   * Voids all earlier codes.
   * @throws ApiError 403 `second_factor_required` or `fresh_proof_required`, 404 for a user without a device that a code
   *   may replace
   */
  async replace(environmentId: EnvironmentId, caller: EndUserPrincipal): Promise<MfaRegenRecoveryCodesResponse> {
    const { userId } = caller;
    const { amr } = await this.session.get(environmentId, caller);
    const isRaised = hasSecondFactor(amr);
    if (isRaised) await this.recent.assert(environmentId, caller, 'credential:link');
    const made = await this.make(environmentId, userId, async (hashes, tx) => {
      if (!isRaised) throw secondFactorRequired();
      await this.codes.replace(environmentId, userId, hashes, tx);
      return true;
    });
    if (!made) throw notFound({ hint: NO_DEVICE });
    return made;
  }

  private async areTaken(environmentId: EnvironmentId, userId: string): Promise<boolean> {
    const policy = await this.policy.read(environmentId);
    return takesRecoveryCodes(policy, await this.devices.listOf(environmentId, userId));
  }

  /** Null if the user has no device that a code may replace, or `store` stored nothing. */
  private async make(
    environmentId: EnvironmentId,
    userId: string,
    store: (hashes: Buffer[], tx: Transaction) => Promise<boolean>,
  ): Promise<MfaGetRecoveryCodesResponse | null> {
    const recoveryCodes = newRecoveryCodes();
    const count = recoveryCodes.length;
    const policy = await this.policy.read(environmentId);
    return this.work.run(async (tx) => {
      await this.devices.lockUser(environmentId, userId, tx);
      const devices = await this.devices.listOf(environmentId, userId, tx);
      if (!takesRecoveryCodes(policy, devices)) return null;
      if (!(await store(recoveryCodes.map(recoveryHash), tx))) return null;
      const acknowledgement = { mfaBackupCodeAcknowledgement: 'pending' as const };
      await this.users.change(environmentId, userId, acknowledgement, userId, tx);
      await this.outbox.append(environmentId, [recoveryEvent(RECOVERY_CODES_REPLACED, userId, count)], tx);
      return { count, recoveryCodes };
    });
  }
}
