import { Injectable } from '@nestjs/common';
import { freshProofRequired, type ClientOrigin, type EndUserPrincipal } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { takingBack } from '../flows/proofs/proof.js';
import type { SignedIn } from '../sessions/signed-in.js';
import type { MfaAuthTotpDevicePostRequest } from './mfa.dto.js';
import { mfaDeviceNotFound, mfaInvalidCode, tooManyMfaAttempts } from './mfa.errors.js';
import type { MfaDeviceRow } from './mfa-device.entity.js';
import { MfaDevicesRepository, type TriedDevice } from './mfa-devices.repository.js';
import { MfaPolicy } from './mfa-policy.js';
import { MfaSession } from './mfa-session.js';
import { SecondFactorFlow, TOO_NEW, type GivenFactor } from './second-factor.flow.js';
import { TotpEnrolment } from './totp-enrolment.service.js';
import { TotpKeys } from './totp-keys.js';

/** A TOTP code as second factor. */
@Injectable()
export class TotpAuthentication {
  constructor(
    private readonly policy: MfaPolicy,
    private readonly devices: MfaDevicesRepository,
    private readonly keys: TotpKeys,
    private readonly enrolment: TotpEnrolment,
    private readonly session: MfaSession,
    private readonly flow: SecondFactorFlow,
  ) {}

  /** @throws ApiError 422 or 429 of `mfa.errors.ts`, 403 `fresh_proof_required` */
  async authenticate(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    request: MfaAuthTotpDevicePostRequest,
    client: ClientOrigin,
  ): Promise<SignedIn> {
    await this.policy.assertUsable(environmentId, 'totp');
    const { code, ...wanted } = request;
    const id = request.id?.toLowerCase();
    const devices = await this.devices.listOf(environmentId, caller.userId);
    const begun = devices.find((each) => each.id === id && each.type === 'totp' && !each.verifiedAt);
    if (begun) return this.enrolment.finishWithTokens(environmentId, caller, begun.id, request, client);
    const device = await this.tried(environmentId, devices, id);
    const step = await this.keys.stepOf(device, code);
    if (step === null) throw mfaInvalidCode();
    const takeBack = () => this.devices.takeBack(environmentId, device, step);
    if (wanted.requestedScopes?.length) {
      await this.assertOlderThanSession(environmentId, caller, device).catch(takingBack({ takeBack }));
    }
    const redeem: GivenFactor['redeem'] = async (tx) => {
      if (!(await this.devices.useStep(environmentId, device, step, tx))) throw mfaInvalidCode();
    };
    return this.flow.complete(environmentId, caller, { ...wanted, factor: 'totp', redeem, takeBack }, client);
  }

  /** The device, after counting the attempt. */
  private async tried(
    environmentId: EnvironmentId,
    devices: readonly MfaDeviceRow[],
    id: string | undefined,
  ): Promise<TriedDevice> {
    const usable = devices.filter(({ type, verifiedAt }) => type === 'totp' && verifiedAt);
    const device = id
      ? usable.find((each) => each.id === id)
      : (usable.find(({ isDefault }) => isDefault) ?? usable[0]);
    if (!device) throw mfaDeviceNotFound();
    const tried = await this.devices.attempt(environmentId, device.id, device.userId);
    if (!tried) {
      throw tooManyMfaAttempts({ retryAfterSeconds: await this.devices.waitSeconds(environmentId, device.id) });
    }
    return tried;
  }

  /** With a stolen session, an attacker could register a device of their own, which proves nothing about the user. */
  private async assertOlderThanSession(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { verifiedAt }: TriedDevice,
  ): Promise<void> {
    const { createdAt } = await this.session.get(environmentId, caller);
    if (!verifiedAt || verifiedAt > createdAt) throw freshProofRequired({ hint: TOO_NEW });
  }
}
