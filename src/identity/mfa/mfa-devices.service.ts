import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { Passkeys } from '../methods/passkey/passkeys.service.js';
import { SessionIssuer } from '../sessions/session-issuer.js';
import type { MfaDevice } from '../users/user-parts.dto.js';
import type { UserPasskey } from '../users/user-passkey.dto.js';
import { DeviceRecord } from './device-record.js';
import { FactorPasskeys } from './factor-passkeys.js';
import { MfaDevicesRepository } from './mfa-devices.repository.js';
import { MfaPolicy } from './mfa-policy.js';
import type { MfaListDevicesResponse, MfaMethodsResponse } from './mfa.dto.js';
import { mfaInvalidRequest } from './mfa.errors.js';
import { IS_DEFAULT, RemovalRight } from './removal-right.js';
import { shownDevice } from './shown-device.js';
import { VoidedCodes } from './voided-codes.js';

const NOT_VERIFIED = 'Finish the registration of the device first.';

/** The devices of the signed-in user. */
@Injectable()
export class MfaDevices {
  constructor(
    private readonly devices: MfaDevicesRepository,
    private readonly codes: VoidedCodes,
    private readonly right: RemovalRight,
    private readonly passkeys: FactorPasskeys,
    private readonly ofSignIn: Passkeys,
    private readonly policy: MfaPolicy,
    private readonly record: DeviceRecord,
    private readonly sessions: SessionIssuer,
    private readonly work: UnitOfWork,
  ) {}

  async list(environmentId: EnvironmentId, { userId }: EndUserPrincipal): Promise<MfaListDevicesResponse> {
    const devices = (await this.devices.listOf(environmentId, userId)).map(shownDevice);
    return { count: devices.length, devices };
  }

  /** Without devices of a disabled kind: whoever is offered one is refused when giving it (docs/decisions/0208). */
  async listMethods(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    verifiedOnly: boolean,
  ): Promise<MfaMethodsResponse> {
    const { methods } = await this.policy.read(environmentId);
    const { userId } = caller;
    const rows = await this.devices.listOf(environmentId, userId);
    const devices = rows.filter(({ type }) => methods.includes(type)).map(shownDevice);
    const verified = devices.filter((device) => device.verified);
    return {
      devices: verifiedOnly ? verified : devices,
      passkeys: methods.includes('passkey') ? await this.passkeysOf(environmentId, caller) : [],
      userHasVerifiedMfaMethods: verified.length > 0,
    };
  }

  /** Those registered as second factors, and those for sign-in, which are accepted as well. */
  private async passkeysOf(environmentId: EnvironmentId, caller: EndUserPrincipal): Promise<UserPasskey[]> {
    const ofSignIn = await this.ofSignIn.list(environmentId, caller);
    return [...(await this.passkeys.listShown(environmentId, caller.userId)), ...ofSignIn.passkeys];
  }

  /** @throws ApiError 404 */
  async get(environmentId: EnvironmentId, { userId }: EndUserPrincipal, id: string): Promise<MfaDevice> {
    const device = await this.devices.find(environmentId, { id, userId });
    if (!device) throw notFound();
    return shownDevice(device);
  }

  /** @throws ApiError 404, 422 `mfa_invalid_request` */
  async setDefault(
    environmentId: EnvironmentId,
    { userId }: EndUserPrincipal,
    id: string,
    isDefault: boolean,
  ): Promise<void> {
    await this.work.run(async (tx) => {
      await this.devices.lockUser(environmentId, userId, tx);
      const device = await this.devices.find(environmentId, { id, userId }, tx);
      if (!device) throw notFound();
      if (device.isDefault === isDefault) return;
      if (!isDefault) throw mfaInvalidRequest({ hint: IS_DEFAULT });
      if (!device.verifiedAt) throw mfaInvalidRequest({ hint: NOT_VERIFIED });
      await this.devices.setDefault(environmentId, id, userId, tx);
    });
  }

  /**
   * The default device must be removed last; this voids the recovery codes, which stand for devices. Ends the user's
   * other sessions: whoever has the device may have given it there.
   * @throws ApiError 400 without a token, for the default device while others remain, and for one that a member's
   *   organization requires; 401 `mfa_token_refused`, 404
   */
  async delete(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    id: string,
    mfaToken: string | undefined,
    client: ClientOrigin,
  ): Promise<void> {
    const { userId, sessionId } = caller;
    const kept = await this.right.kept(environmentId, userId);
    const removed = await this.work.run(async (tx) => {
      await this.devices.lockUser(environmentId, userId, tx);
      const all = await this.devices.listOf(environmentId, userId, tx);
      const device = all.find((each) => each.id === id);
      if (!device) throw notFound();
      const others = all.filter((each) => each.id !== id && each.verifiedAt);
      await this.right.assert(environmentId, caller, { device, others }, { kept, mfaToken }, tx);
      await this.record.remove(environmentId, device, tx);
      if (others.length === 0) await this.codes.end(environmentId, userId, tx);
      if (device.verifiedAt) await this.sessions.endOthers(environmentId, userId, sessionId, tx);
      return device;
    });
    if (removed.verifiedAt) await this.record.tell(environmentId, userId, 'factorRemoved', client);
  }
}
