import { Injectable } from '@nestjs/common';
import { freshProofRequired, type ClientOrigin, type EndUserPrincipal } from '../../auth/index.js';
import { UnitOfWork, type EnvironmentId } from '../../database/index.js';
import type { SignedIn } from '../sessions/signed-in.js';
import type { MfaDevice } from '../users/user-parts.dto.js';
import { DeviceRecord } from './device-record.js';
import { EnrolmentRight } from './enrolment-right.js';
import type {
  MfaAuthTotpDevicePostRequest,
  MfaRegisterTotpDeviceGetResponse,
  MfaRegisterTotpDevicePostRequest,
} from './mfa.dto.js';
import { mfaInvalidCode, mfaInvalidRequest } from './mfa.errors.js';
import type { MfaDeviceRow } from './mfa-device.entity.js';
import { MfaSession } from './mfa-session.js';
import { SecondFactorFlow, TOO_NEW, type GivenFactor } from './second-factor.flow.js';
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
    private readonly flow: SecondFactorFlow,
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
    if (begun?.type !== 'totp' || type !== 'totp') throw mfaInvalidRequest({ hint: NOT_BEGUN });
    const step = await this.stepOf(begun, code);
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

  /**
   * The same for clients that finish by authenticating with the device: it is answered with tokens. The code proves that
   * its sender has the secret, which was handed out for a recent proof.
   */
  async finishWithTokens(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    id: string,
    { code, createMfaToken, requestedScopes }: MfaAuthTotpDevicePostRequest,
    client: ClientOrigin,
  ): Promise<SignedIn> {
    const { begun, ...terms } = await this.right.assert(environmentId, caller, 'totp', null, id);
    if (begun?.id !== id) throw mfaInvalidRequest({ hint: NOT_BEGUN });
    const step = await this.stepOf(begun, code);
    if (requestedScopes?.length) throw freshProofRequired({ hint: TOO_NEW });
    const redeem: GivenFactor['redeem'] = async (tx) => {
      await this.right.assertStill(environmentId, caller.userId, terms, tx);
      if (!(await this.record.verify(environmentId, begun, step, tx))) throw mfaInvalidCode();
    };
    const signedIn = await this.flow.complete(
      environmentId,
      caller,
      { factor: 'totp', redeem, createMfaToken },
      client,
    );
    await this.record.tell(environmentId, caller.userId, 'factorAdded', client);
    return signedIn;
  }

  private async stepOf(begun: MfaDeviceRow, code: string): Promise<number> {
    const { sealedSecret } = begun;
    const step = sealedSecret && (await this.keys.stepOf({ ...begun, sealedSecret }, code));
    if (step === null) throw mfaInvalidCode();
    return step;
  }
}
