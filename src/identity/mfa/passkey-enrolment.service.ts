import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import { newId } from '../../common/ids.js';
import type { EnvironmentId } from '../../database/index.js';
import { PasskeyCeremonies } from '../methods/passkey/passkey-ceremonies.js';
import { passkeyKnown } from '../methods/passkey/passkey.errors.js';
import type { SignedIn } from '../sessions/signed-in.js';
import { DeviceRecord } from './device-record.js';
import { EnrolmentRight } from './enrolment-right.js';
import type { MfaRegisterPasskeyDeviceGetResponse, MfaRegisterPasskeyDevicePostRequest } from './mfa-passkey.dto.js';
import { MfaPasskeysRepository } from './mfa-passkeys.repository.js';
import { mfaInvalidRequest } from './mfa.errors.js';
import { PasskeyFactorOptions } from './passkey-factor-options.js';
import { SecondFactorFlow, type GivenFactor } from './second-factor.flow.js';

const NOT_BEGUN = 'Start with registerPasskeyMfaDevice, and finish with the id that it answered.';

/** Adds a passkey as a second factor: first the options for the browser, then the authenticator's result. */
@Injectable()
export class PasskeyEnrolment {
  constructor(
    private readonly right: EnrolmentRight,
    private readonly options: PasskeyFactorOptions,
    private readonly ceremonies: PasskeyCeremonies,
    private readonly record: DeviceRecord,
    private readonly passkeys: MfaPasskeysRepository,
    private readonly flow: SecondFactorFlow,
  ) {}

  /** Voids an unfinished enrolment. */
  async begin(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    elevated: string | null,
    client: ClientOrigin,
  ): Promise<MfaRegisterPasskeyDeviceGetResponse> {
    const { userId } = caller;
    await this.right.assert(environmentId, caller, 'passkey', elevated);
    const registration = await this.options.create(environmentId, userId, client);
    const id = newId();
    await this.record.begin(environmentId, { id, userId, type: 'passkey', sealedSecret: null, masterKeyId: null });
    return { id, type: 'passkey', registration };
  }

  /** The passkey counts as a second factor of this session. */
  async finish(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { id, attestation }: MfaRegisterPasskeyDevicePostRequest,
    elevated: string | null,
    client: ClientOrigin,
  ): Promise<SignedIn> {
    const { userId } = caller;
    const { begun, ...terms } = await this.right.assert(environmentId, caller, 'passkey', elevated);
    if (begun?.type !== 'passkey' || begun.id !== id.toLowerCase()) throw mfaInvalidRequest({ hint: NOT_BEGUN });
    const { clientDataJSON: clientDataJson, attestationObject } = attestation.response;
    const answer = { ...attestation, response: { clientDataJson, attestationObject } };
    const made = await this.ceremonies.attestation(environmentId, userId, answer, 'register-factor');
    const redeem: GivenFactor['redeem'] = async (tx) => {
      await this.right.assertStill(environmentId, userId, terms, tx);
      if (!(await this.record.verify(environmentId, begun, 0, tx))) throw mfaInvalidRequest({ hint: NOT_BEGUN });
      const passkey = { ...made, id: begun.id, userAgent: client.userAgent };
      if (!(await this.passkeys.add(environmentId, passkey, tx))) throw passkeyKnown();
    };
    const signedIn = await this.flow.complete(environmentId, caller, { factor: 'passkey', redeem }, client);
    await this.record.tell(environmentId, userId, 'factorAdded', client);
    return signedIn;
  }
}
