import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { MfaDevicesRepository } from './mfa-devices.repository.js';
import { MfaRecoveryCodesRepository } from './mfa-recovery-codes.repository.js';
import { MfaTokensRepository } from './mfa-tokens.repository.js';

/** What was there. */
export interface Cleared {
  /** Including one in registration. */
  devices: number;
  hadCodes: boolean;
}

/** All stored data on a user's second factors. */
@Injectable()
export class MfaStore {
  constructor(
    private readonly devices: MfaDevicesRepository,
    private readonly recovery: MfaRecoveryCodesRepository,
    private readonly tokens: MfaTokensRepository,
  ) {}

  /** @returns null if there is no such user */
  async clear(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<Cleared | null> {
    if (!(await this.devices.lockUser(environmentId, userId, tx))) return null;
    const hadCodes = await this.recovery.clear(environmentId, userId, tx);
    await this.tokens.clear(environmentId, userId, tx);
    return { devices: await this.devices.delete(environmentId, { userId }, tx), hadCodes };
  }
}
