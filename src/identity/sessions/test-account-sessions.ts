import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { TestAccountEnding, TestAccountEndings, type TestIdentifiers } from '../../environments/index.js';
import type { Actor } from '../../organizations/index.js';
import { UserSessionsService } from './user-sessions.service.js';

/**
 * Whoever had the code of a test account is signed out when the account is deleted: the code may have become known to
 * others, and their sessions would last for weeks.
 */
@Injectable()
export class TestAccountSessions extends TestAccountEnding {
  constructor(
    private readonly sessions: UserSessionsService,
    endings: TestAccountEndings,
  ) {
    super();
    endings.register(this);
  }

  override end(
    environmentId: EnvironmentId,
    { email, phone }: TestIdentifiers,
    actor: Actor,
    tx: Transaction,
  ): Promise<void> {
    const proven = [
      { kind: 'email', identifier: email },
      { kind: 'phoneNumber', identifier: phone },
    ] as const;
    return this.sessions.revokeOfHolders(environmentId, proven, actor, tx);
  }
}
