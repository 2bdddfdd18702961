import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import { Outbox, scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';
import type { Session } from '../sessions/session.entity.js';
import { sessionRevoked } from '../sessions/session.events.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { deviceHash } from './device-key.js';

/** Live sessions; a user has at most fifty. */
const LIVE = scopedStatement(
  'sessions.listDevices',
  `SELECT id, session_public_key AS "sessionPublicKey" FROM sessions
   WHERE environment_id = $1 AND user_id = $2 AND id <> $3 AND revoked_at IS NULL AND expires_at > now() ORDER BY id`,
);

/** The sessions of devices. */
@Injectable()
export class DeviceSessions {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly outbox: Outbox,
  ) {}

  /** Ends the sessions of these devices, except the caller's, and emits the events. */
  async endOthers(
    environmentId: EnvironmentId,
    { userId, sessionId }: EndUserPrincipal,
    devices: readonly Buffer[],
    tx: Transaction,
  ): Promise<void> {
    if (devices.length === 0) return;
    const live = await tx.rows<Pick<Session, 'id' | 'sessionPublicKey'>>(LIVE, [environmentId, userId, sessionId]);
    for (const session of live) {
      if (!devices.some((hash) => hash.equals(deviceHash(session)))) continue;
      const ended = await this.sessions.revoke(environmentId, session.id, tx);
      if (ended) await this.outbox.append(environmentId, [sessionRevoked(ended, userId)], tx);
    }
  }
}
