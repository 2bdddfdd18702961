import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import type { Actor } from '../../organizations/index.js';
import type { TestAccountRow } from './test-account.entity.js';

/** What a test account is recognised by. */
export type TestIdentifiers = Pick<TestAccountRow, 'email' | 'phone'>;

/** Something that must not outlive a test account. */
export abstract class TestAccountEnding {
  /** Runs in the transaction that deletes the account. */
  abstract end(environmentId: EnvironmentId, account: TestIdentifiers, actor: Actor, tx: Transaction): Promise<void>;
}

/** Contexts above register here, at start-up, what ends with a test account. */
@Injectable()
export class TestAccountEndings {
  private readonly endings: TestAccountEnding[] = [];

  register(ending: TestAccountEnding): void {
    this.endings.push(ending);
  }

  async end(environmentId: EnvironmentId, account: TestIdentifiers, actor: Actor, tx: Transaction): Promise<void> {
    for (const ending of this.endings) await ending.end(environmentId, account, actor, tx);
  }
}
