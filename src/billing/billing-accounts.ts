import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../auth/index.js';
import { Clock } from '../common/clock.js';
import { notFound } from '../common/errors/index.js';
import { UnitOfWork, type EventDefinition, type Executor, type Transaction } from '../database/index.js';
import { ChangeLog, type Actor } from '../organizations/index.js';
import { AccountsRepository } from './accounts.repository.js';
import { billingPeriod, type BillingAccount } from './billing-account.js';
import { publishedSubscription } from './shown-subscription.js';

/** Billing accounts of organizations: reads them, and makes and publishes one change at a time. */
@Injectable()
export class BillingAccounts {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  async read(organizationId: OrganizationId, on?: Executor): Promise<BillingAccount> {
    const account = await this.accounts.find(organizationId, billingPeriod(this.clock.now()).startDate, on);
    if (!account) throw notFound();
    return account;
  }

  /**
   * Runs `change` with the account locked, and records the difference. A change without effect is not recorded.
   * `change` may return another actor to attribute the change to.
   */
  async change(
    organizationId: OrganizationId,
    { event, actor }: { event: EventDefinition; actor: Actor },
    change: (before: BillingAccount, tx: Transaction) => Promise<Actor | void>,
  ): Promise<void> {
    await this.work.run(async (tx) => {
      await this.accounts.hold(organizationId, tx);
      const account = await this.read(organizationId, tx);
      const author = (await change(account, tx)) ?? actor;
      const now = this.clock.now();
      const before = publishedSubscription(account, now);
      const after = publishedSubscription(await this.read(organizationId, tx), now);
      if (isDeepStrictEqual(before, after)) return;
      const resource = { type: 'subscription', id: organizationId };
      await this.changes.record({ scope: { organizationId }, actor: author, event, resource, before, after }, tx);
    });
  }
}
