import { Injectable } from '@nestjs/common';
import type { DashboardPrincipal } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { UnitOfWork, type EnvironmentId, type Transaction } from '../../database/index.js';
import { ChangeLog } from '../../organizations/index.js';
import { AccountNotices } from '../notices/account-notices.js';
import { SessionIssuer } from '../sessions/session-issuer.js';
import { UsersService } from '../users/users.service.js';
import { MfaStore } from './mfa-store.js';
import { MFA_RESET } from './mfa.events.js';

/**
 * Administrators' reset for a user who lost every second factor. It is recorded, and the user is notified. All sessions
 * end: whoever found the device may have given it in one of them.
 */
@Injectable()
export class MfaReset {
  constructor(
    private readonly store: MfaStore,
    private readonly users: UsersService,
    private readonly sessions: SessionIssuer,
    private readonly changes: ChangeLog,
    private readonly notices: AccountNotices,
    private readonly work: UnitOfWork,
  ) {}

  /** Removes devices, and the recovery codes that stand for them. @throws ApiError 404 */
  async removeDevices(environmentId: EnvironmentId, userId: string, actor: DashboardPrincipal): Promise<void> {
    await this.reset(environmentId, userId, actor);
  }

  /** As if the user had never had a second factor, including whether codes were saved. @throws ApiError 404 */
  async resetUser(environmentId: EnvironmentId, userId: string, actor: DashboardPrincipal): Promise<void> {
    await this.reset(environmentId, userId, actor, async (tx) => {
      await this.users.change(environmentId, userId, { mfaBackupCodeAcknowledgement: null }, null, tx, actor);
    });
  }

  private async reset(
    environmentId: EnvironmentId,
    userId: string,
    actor: DashboardPrincipal,
    also?: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    const addresses = await this.notices.addressesOf(environmentId, userId);
    const isTold = await this.work.run(async (tx) => {
      const cleared = await this.store.clear(environmentId, userId, actor, tx);
      if (cleared === null) throw notFound();
      const { devices, hadFactor } = cleared;
      await this.sessions.endAll(environmentId, userId, tx);
      await also?.(tx);
      const resource = { type: 'user', id: userId };
      // Recorded even if there were no devices, since it ended the sessions.
      const states =
        devices > 0 ? { before: { userId, devices }, after: { userId, devices: 0 } } : { before: null, after: null };
      const change = { event: MFA_RESET, resource, ...states };
      await this.changes.record({ scope: { environmentId }, actor, ...change, data: { userId, devices } }, tx);
      return hadFactor;
    });
    // Who had no second factor, or had not finished its registration, was not deprived of one.
    if (isTold) await this.notices.tell(environmentId, addresses, { change: 'factorsReset', userAgent: null });
  }
}
