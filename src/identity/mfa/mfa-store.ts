import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { MfaDevicesRepository } from './mfa-devices.repository.js';
import { MfaRecoveryCodesRepository } from './mfa-recovery-codes.repository.js';
import { MfaTokensRepository } from './mfa-tokens.repository.js';

/** All stored data on a user's second factors. */
@Injectable()
export class MfaStore {
  constructor(
    private readonly devices: MfaDevicesRepository,
    private readonly recovery: MfaRecoveryCodesRepository,
    private readonly tokens: MfaTokensRepository,
  ) {}

  /** @returns how many devices there were, including one in registration; null if there is no such user */
  async clear(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<number | null> {
    if (!(await this.devices.lockUser(environmentId, userId, tx))) return null;
    await this.recovery.clear(environmentId, userId, tx);
    await this.tokens.clear(environmentId, userId, tx);
    return this.devices.delete(environmentId, { userId }, tx);
  }
}
