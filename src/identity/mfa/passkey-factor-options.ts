import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { CHALLENGE_SECONDS, PasskeyChallenges } from '../methods/passkey/passkey-challenges.js';
import { RelyingParties } from '../methods/passkey/relying-parties.js';
import { PASSKEY_ALGORITHMS } from '../methods/passkey/verify-attestation.js';
import { UserReader } from '../users/user-reader.js';
import type { MfaRegisterPasskeyDeviceGetResponseRegistration } from './mfa-passkey.dto.js';
import { MfaPasskeysRepository } from './mfa-passkeys.repository.js';

const USER_HANDLE_BYTES = 64;

/** What browsers are to ask authenticators for when a passkey is to be a second factor. */
@Injectable()
export class PasskeyFactorOptions {
  constructor(
    private readonly passkeys: MfaPasskeysRepository,
    private readonly challenges: PasskeyChallenges,
    private readonly parties: RelyingParties,
    private readonly users: UserReader,
  ) {}

  /** A passkey that the person unlocks. It is named when it is asked for, so the authenticator need not list it. */
  async create(
    environmentId: EnvironmentId,
    userId: string,
    { origin }: ClientOrigin,
  ): Promise<MfaRegisterPasskeyDeviceGetResponseRegistration> {
    const rp = await this.parties.get(environmentId, origin);
    const known = await this.passkeys.listOfUser(environmentId, userId);
    const { email, username, alias, firstName } = await this.users.getFull(environmentId, userId);
    const userHandle = randomBytes(USER_HANDLE_BYTES);
    const made = { purpose: 'register-factor', rpId: rp.id, userId, userHandle } as const;
    const name = email || username || alias || rp.name;
    return {
      challenge: await this.challenges.issue(environmentId, made),
      rp,
      user: { id: userHandle.toString('base64url'), name, displayName: firstName || alias || name },
      pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
      authenticatorSelection: { residentKey: 'discouraged', requireResidentKey: false, userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: known.map(({ credentialId: id }) => ({ id, type: 'public-key' })),
      timeout: CHALLENGE_SECONDS * 1000,
    };
  }
}
