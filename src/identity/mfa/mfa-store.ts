import { Injectable } from '@nestjs/common';
import type { DashboardPrincipal } from '../../auth/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { MfaDevicesRepository } from './mfa-devices.repository.js';
import { MfaTokensRepository } from './mfa-tokens.repository.js';
import { VoidedCodes } from './voided-codes.js';

/** What was there. */
export interface Cleared {
  /** Including one in registration. */
  devices: number;
  /** Whether the user could give a second factor. */
  hadFactor: boolean;
}

/** All stored data on a user's second factors. */
@Injectable()
export class MfaStore {
  constructor(
    private readonly devices: MfaDevicesRepository,
    private readonly codes: VoidedCodes,
    private readonly tokens: MfaTokensRepository,
  ) {}

  /** @returns null if there is no such user */
  async clear(
    environmentId: EnvironmentId,
    userId: string,
    by: DashboardPrincipal,
    tx: Transaction,
  ): Promise<Cleared | null> {
    if (!(await this.devices.lockUser(environmentId, userId, tx))) return null;
    const devices = await this.devices.listOf(environmentId, userId, tx);
    const hadCodes = await this.codes.end(environmentId, userId, tx, by);
    await this.tokens.clear(environmentId, userId, tx);
    await this.devices.delete(environmentId, { userId }, tx);
    return { devices: devices.length, hadFactor: hadCodes || devices.some(({ verifiedAt }) => verifiedAt) };
  }
}
