import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { creationOptions, newUserHandle } from '../methods/passkey/creation-options.js';
import { PasskeyChallenges } from '../methods/passkey/passkey-challenges.js';
import { RelyingParties } from '../methods/passkey/relying-parties.js';
import { UserReader } from '../users/user-reader.js';
import type { MfaRegisterPasskeyDeviceGetResponseRegistration } from './mfa-passkey.dto.js';
import { MfaPasskeysRepository } from './mfa-passkeys.repository.js';

/** Options for browsers to pass to authenticators for a passkey as second factor. */
@Injectable()
export class PasskeyFactorOptions {
  constructor(
    private readonly passkeys: MfaPasskeysRepository,
    private readonly challenges: PasskeyChallenges,
    private readonly parties: RelyingParties,
    private readonly users: UserReader,
  ) {}

  /** With user verification. It is named when requested, so it need not be discoverable. */
  async create(
    environmentId: EnvironmentId,
    userId: string,
    { origin }: ClientOrigin,
  ): Promise<MfaRegisterPasskeyDeviceGetResponseRegistration> {
    const rp = await this.parties.get(environmentId, origin);
    const known = await this.passkeys.listOfUser(environmentId, userId);
    const user = await this.users.getFull(environmentId, userId);
    const userHandle = newUserHandle();
    const made = { purpose: 'register-factor', rpId: rp.id, userId, userHandle } as const;
    const challenge = await this.challenges.issue(environmentId, made);
    return {
      ...creationOptions({ rp, user, userHandle }, challenge, 'discouraged'),
      excludeCredentials: known.map(({ credentialId: id }) => ({ id, type: 'public-key' })),
    };
  }
}
