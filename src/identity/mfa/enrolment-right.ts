import { Injectable } from '@nestjs/common';
import { StepUp, type EndUserPrincipal } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { IdentifierClaimsRepository } from '../credentials/identifier-claims.repository.js';
import { provenAt } from '../sessions/proven-at.js';
import { hasSecondFactor, isAnother } from './factors.js';
import type { MfaDeviceRow } from './mfa-device.entity.js';
import { MfaDevicesRepository } from './mfa-devices.repository.js';
import { FRESH_FACTOR_SECONDS, MAX_DEVICES } from './mfa-limits.js';
import { MfaPolicy, type Policy } from './mfa-policy.js';
import { MfaSession } from './mfa-session.js';
import { mfaInvalidRequest, secondFactorRequired } from './mfa.errors.js';

const FULL = 'The user has as many devices as there may be: remove one first.';

/**
 * Who may add a device: with none so far, somebody whose first factor is fresh; else, whoever gave the second factor in
 * this session. A first factor alone never adds to what is to protect against its theft.
 */
@Injectable()
export class EnrolmentRight {
  constructor(
    private readonly policy: MfaPolicy,
    private readonly devices: MfaDevicesRepository,
    private readonly session: MfaSession,
    private readonly claims: IdentifierClaimsRepository,
    private readonly stepUp: StepUp,
    private readonly clock: Clock,
  ) {}

  /**
   * @param type of the device to be
   * @param elevated what stands in `x-elevated-access-token`
   * @returns the device that is being enrolled, if there is one, and how the session was proven until now
   * @throws ApiError 403 `fresh_proof_required` or `second_factor_required`, 422 `mfa_invalid_request`
   */
  async assert(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    type: MfaDeviceRow['type'],
    elevated: string | null,
  ): Promise<{ begun: MfaDeviceRow | null; amr: readonly string[] }> {
    const policy = await this.policy.assertUsable(environmentId, type);
    const session = await this.session.assertAnother(environmentId, caller, type);
    const { amr } = session;
    const all = await this.devices.listOf(environmentId, caller.userId);
    const verified = all.filter(({ verifiedAt }) => verifiedAt).length;
    assertRoom(verified, amr);
    if (await this.canGiveCode(environmentId, caller, policy, amr)) throw secondFactorRequired();
    if (verified === 0 && this.clock.timestamp() - provenAt(session).getTime() > FRESH_FACTOR_SECONDS * 1000) {
      await this.stepUp.assertFresh(environmentId, caller, 'credential:link', elevated);
    }
    return { begun: all.find(({ verifiedAt }) => !verifiedAt) ?? null, amr };
  }

  /** Where everybody needs a second factor, a proven address is one: whoever cannot read it adds no device instead. */
  private async canGiveCode(
    environmentId: EnvironmentId,
    { userId }: EndUserPrincipal,
    { isRequired, methods }: Policy,
    amr: readonly string[],
  ): Promise<boolean> {
    if (!isRequired || !methods.includes('email') || hasSecondFactor(amr) || !isAnother(amr, 'email')) return false;
    return (await this.claims.listProvenEmails(environmentId, userId)).length > 0;
  }

  /**
   * Again in the transaction that adds the device: another session may have added one meanwhile.
   * @param amr of the session until now
   */
  async assertStill(
    environmentId: EnvironmentId,
    userId: string,
    amr: readonly string[],
    tx: Transaction,
  ): Promise<void> {
    await this.devices.lockUser(environmentId, userId, tx);
    const all = await this.devices.listOf(environmentId, userId, tx);
    assertRoom(all.filter(({ verifiedAt }) => verifiedAt).length, amr);
  }
}

function assertRoom(verified: number, amr: readonly string[]): void {
  if (verified > 0 && !hasSecondFactor(amr)) throw secondFactorRequired();
  if (verified >= MAX_DEVICES) throw mfaInvalidRequest({ hint: FULL });
}
