import { Injectable } from '@nestjs/common';
import type { DashboardPrincipal } from '../../auth/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { UserReader } from '../users/user-reader.js';
import { UsersService } from '../users/users.service.js';
import { MfaRecoveryCodesRepository } from './mfa-recovery-codes.repository.js';

/** Recovery codes end with the devices that they stand for. */
@Injectable()
export class VoidedCodes {
  constructor(
    private readonly codes: MfaRecoveryCodesRepository,
    private readonly reader: UserReader,
    private readonly users: UsersService,
  ) {}

  /**
   * Clients show the codes to whoever has not confirmed that they are stored, and there are none to show any more.
   * @param by an administrator; without one, it is the user
   * @returns false when there were none
   */
  async end(environmentId: EnvironmentId, userId: string, tx: Transaction, by?: DashboardPrincipal): Promise<boolean> {
    if (!(await this.codes.clear(environmentId, userId, tx))) return false;
    const { mfaBackupCodeAcknowledgement } = await this.reader.getFull(environmentId, userId, tx);
    if (mfaBackupCodeAcknowledgement === 'pending') {
      const nothing = { mfaBackupCodeAcknowledgement: null };
      await this.users.change(environmentId, userId, nothing, by ? null : userId, tx, by);
    }
    return true;
  }
}
