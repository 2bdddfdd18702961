import { Injectable } from '@nestjs/common';
import { UnitOfWork, type EnvironmentId } from '../../database/index.js';
import type { Identifier } from '../credentials/identifier-key.js';
import { UserIdentities } from '../users/user-identities.js';
import { MfaDevicesRepository } from './mfa-devices.repository.js';
import { MfaRecoveryCodesRepository } from './mfa-recovery-codes.repository.js';

/** Lets operators end the waits of second factors. */
@Injectable()
export class FactorWaits {
  constructor(
    private readonly identities: UserIdentities,
    private readonly devices: MfaDevicesRepository,
    private readonly codes: MfaRecoveryCodesRepository,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Ends every wait of a user's devices and recovery codes.
   * @returns how many had wrong codes; null if no user has the identifier
   * @throws ApiError 422 if several users have it, or it is invalid
   */
  async end(environmentId: EnvironmentId, identifier: Identifier): Promise<number | null> {
    const userId = await this.identities.expect(environmentId, identifier);
    if (userId === null) return null;
    // In the lock order of using a recovery code.
    return this.work.run(async (tx) => {
      const codes = await this.codes.endWaits(environmentId, userId, tx);
      return codes + (await this.devices.endWaits(environmentId, userId, tx));
    });
  }
}
