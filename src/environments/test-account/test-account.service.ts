import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { UnitOfWork, type Work } from '../../database/index.js';
import { ChangeLog, type Actor } from '../../organizations/index.js';
import { EnvironmentSecrets } from '../secrets/environment-secrets.js';
import { newTestAddress, newTestCode, newTestPhone } from './test-account-values.js';
import type { TestAccountResponse } from './test-account.dto.js';
import { testAccountExists } from './test-account.errors.js';
import { TEST_ACCOUNT_CREATED, TEST_ACCOUNT_DELETED } from './test-account.events.js';
import { TEST_CODE } from './test-accounts.js';
import { TestAccountEndings } from './test-account-endings.js';
import { TestAccountsRepository } from './test-accounts.repository.js';

/** The test account of an environment, for those who manage it. */
@Injectable()
export class TestAccountService {
  constructor(
    private readonly accounts: TestAccountsRepository,
    private readonly secrets: EnvironmentSecrets,
    private readonly endings: TestAccountEndings,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

  async get(environmentId: EnvironmentId): Promise<TestAccountResponse> {
    const [account, code] = await Promise.all([
      this.accounts.find(environmentId, {}),
      this.secrets.find(environmentId, TEST_CODE),
    ]);
    if (!account || code === null) throw notFound();
    return { code, email: account.email, phone: account.phone };
  }

  /** @throws testAccountExists */
  async create(environmentId: EnvironmentId, actor: Actor, work: Work): Promise<TestAccountResponse> {
    const account = { email: newTestAddress(), phone: newTestPhone() };
    const code = newTestCode();
    const sealed = await this.secrets.seal(environmentId, TEST_CODE, code);
    await work.run(async (tx) => {
      if (!(await this.accounts.insertIfAbsent(environmentId, account, tx))) throw testAccountExists();
      await this.secrets.put(environmentId, sealed, tx);
      const resource = { type: 'testAccount', id: environmentId };
      const change = { event: TEST_ACCOUNT_CREATED, resource, before: null, after: account };
      await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    });
    return { code, ...account };
  }

  /**
   * Codes that were requested but not yet submitted stop working as well. The user is kept, but signed out: with the code,
   * anybody may have been that user.
   */
  async delete(environmentId: EnvironmentId, actor: Actor): Promise<void> {
    await this.work.run(async (tx) => {
      const account = await this.accounts.lock(environmentId, {}, tx);
      if (!account) throw notFound();
      await this.accounts.delete(environmentId, {}, tx);
      await this.secrets.remove(environmentId, TEST_CODE, tx);
      const before = { email: account.email, phone: account.phone };
      await this.endings.end(environmentId, before, actor, tx);
      const resource = { type: 'testAccount', id: environmentId };
      const change = { event: TEST_ACCOUNT_DELETED, resource, before, after: null, data: before };
      await this.changes.record({ scope: { environmentId }, actor, ...change }, tx);
    });
  }
}
