import { Injectable } from '@nestjs/common';
import { Outbox, UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { SessionCuts } from '../../identity/index.js';
import { AccessGrantsRepository, type DueGrant } from './access-grants.repository.js';
import { USER_SCOPES_CHANGED } from './access.events.js';
import type { KeptScopes } from './kept-scopes.js';

/** A grant, and what remains of it. */
export interface LookedAt {
  grant: DueGrant;
  kept: KeptScopes;
}

/** Revokes what is no longer justified: the grant, the tokens and the event commit together. */
@Injectable()
export class AccessLosses {
  constructor(
    private readonly grants: AccessGrantsRepository,
    private readonly sessions: SessionCuts,
    private readonly outbox: Outbox,
    private readonly work: UnitOfWork,
  ) {}

  async take(environmentId: EnvironmentId, losses: readonly LookedAt[]): Promise<void> {
    for (const { grant, kept } of losses) {
      const { userId } = grant;
      await this.work.run(async (tx) => {
        // A concurrent sign-in has re-evaluated the user.
        if (!(await this.grants.drop(environmentId, grant, kept.scopes, tx))) return;
        const wasCut = await this.sessions.cut(environmentId, userId, tx);
        const dropped = grant.scopes.filter((scope) => !kept.scopes.includes(scope));
        if (dropped.length === 0 && !wasCut) return;
        const data = { userId, scopes: kept.scopes, dropped };
        const draft = { event: USER_SCOPES_CHANGED, resourceId: userId, data, userId: null };
        await this.outbox.append(environmentId, [draft], tx);
      });
    }
  }
}
