import { Injectable } from '@nestjs/common';
import { UnitOfWork, type EnvironmentId } from '../../database/index.js';
import type { Identifier } from '../credentials/identifier-key.js';
import { UserIdentities } from '../users/user-identities.js';
import { MfaDevicesRepository } from './mfa-devices.repository.js';
import { MfaRecoveryCodesRepository } from './mfa-recovery-codes.repository.js';

/** What operators do about the waits of second factors. */
@Injectable()
export class FactorWaits {
  constructor(
    private readonly identities: UserIdentities,
    private readonly devices: MfaDevicesRepository,
    private readonly codes: MfaRecoveryCodesRepository,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Ends every wait of the devices of a user and of their recovery codes.
   * @returns how many had wrong codes; null where the identifier is nobody's
   * @throws ApiError 422 where it is of several users, or cannot be one
   */
  async end(environmentId: EnvironmentId, identifier: Identifier): Promise<number | null> {
    const userId = await this.identities.expect(environmentId, identifier);
    if (userId === null) return null;
    // In the order in which a recovery code that is used holds the rows.
    return this.work.run(async (tx) => {
      const codes = await this.codes.endWaits(environmentId, userId, tx);
      return codes + (await this.devices.endWaits(environmentId, userId, tx));
    });
  }
}
