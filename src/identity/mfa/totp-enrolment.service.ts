import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import { UnitOfWork, type EnvironmentId } from '../../database/index.js';
import type { MfaDevice } from '../users/user-parts.dto.js';
import { DeviceRecord } from './device-record.js';
import { EnrolmentRight } from './enrolment-right.js';
import type { MfaRegisterTotpDeviceGetResponse, MfaRegisterTotpDevicePostRequest } from './mfa.dto.js';
import { mfaInvalidCode, mfaInvalidRequest } from './mfa.errors.js';
import { MfaSession } from './mfa-session.js';
import { shownDevice } from './shown-device.js';
import { TotpKeys } from './totp-keys.js';

const NOT_BEGUN = 'Start with registerTotpMfaDevice, and finish with the type `totp`.';

/** Adds a TOTP device: first the secret, then a code that proves the device has it. */
@Injectable()
export class TotpEnrolment {
  constructor(
    private readonly right: EnrolmentRight,
    private readonly keys: TotpKeys,
    private readonly record: DeviceRecord,
    private readonly session: MfaSession,
    private readonly work: UnitOfWork,
  ) {}

  /** Creates a secret for a device. Voids an unfinished enrolment. */
  async begin(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    elevated: string | null,
  ): Promise<MfaRegisterTotpDeviceGetResponse> {
    await this.right.assert(environmentId, caller, 'totp', elevated);
    const { device, secret, uri } = await this.keys.create(environmentId, caller.userId);
    await this.record.begin(environmentId, device);
    return { id: device.id, type: 'totp', secret, uri };
  }

  /** The code counts as a second factor of this session, and is used up. */
  async finish(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { type, code }: MfaRegisterTotpDevicePostRequest,
    elevated: string | null,
    client: ClientOrigin,
  ): Promise<MfaDevice> {
    const { begun, methods } = await this.right.assert(environmentId, caller, 'totp', elevated);
    const sealedSecret = begun?.sealedSecret;
    if (!begun || !sealedSecret || type !== 'totp') throw mfaInvalidRequest({ hint: NOT_BEGUN });
    const step = await this.keys.stepOf({ ...begun, sealedSecret }, code);
    if (step === null) throw mfaInvalidCode();
    const device = await this.work.run(async (tx) => {
      const amr = await this.session.raise(environmentId, caller, 'totp', tx);
      await this.right.assertStill(environmentId, caller.userId, { amr, methods }, tx);
      const verified = await this.record.verify(environmentId, begun, step, tx);
      if (!verified) throw mfaInvalidCode();
      return shownDevice(verified);
    });
    await this.record.tell(environmentId, caller.userId, 'factorAdded', client);
    return device;
  }
}
