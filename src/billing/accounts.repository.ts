import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../auth/index.js';
import { asSystem, Database, scopedStatement, type Executor, type Transaction } from '../database/index.js';
import type { Actor } from '../organizations/index.js';
import type { BillingAccount } from './billing-account.js';
import { TRIAL_DAYS, type PlanType } from './plans.js';

/** A request to the provider is answered sooner, or given up on there. */
const BLOCKED_MINUTES = 2;

/** The slots of a month are adjacent in the primary key, so few rows are read, regardless of the number of users. */
const READ = scopedStatement(
  'billing.read',
  `SELECT coalesce(s.plan, 'free') AS plan, o.created_at AS "trialStart",
     coalesce(s.trial_end, o.created_at + make_interval(days => ${TRIAL_DAYS})) AS "trialEnd",
     coalesce(s.has_payment_method, false) AS "hasPaymentMethod", coalesce(s.payment_overdue, false) AS "paymentOverdue",
     s.customer_id AS "customerId", coalesce(s.upgrade_attempt, 0) AS "upgradeAttempt", s.upgrade_by AS "upgradeBy",
     (SELECT coalesce(sum(u.users), 0)::float8 FROM billing_usage u
      WHERE u.organization_id = $1 AND u.month = $2) AS "activeUsers",
     (SELECT coalesce(array_agg(r.coupon ORDER BY r.redeemed_at, r.coupon), '{}') FROM billing_redemptions r
      WHERE r.organization_id = $1) AS coupons
   FROM organizations o LEFT JOIN billing_subscriptions s ON s.organization_id = $1 WHERE o.id = $1`,
);
const ENSURE = scopedStatement(
  'billing.ensure',
  `INSERT INTO billing_subscriptions (organization_id, trial_end)
   SELECT $1, o.created_at + make_interval(days => ${TRIAL_DAYS}) FROM organizations o WHERE o.id = $1
   ON CONFLICT DO NOTHING`,
);
const LOCK = scopedStatement(
  'billing.lock',
  'SELECT organization_id FROM billing_subscriptions WHERE organization_id = $1 FOR NO KEY UPDATE',
);
const SET_PLAN = scopedStatement(
  'billing.setPlan',
  'UPDATE billing_subscriptions SET plan = $2, updated_at = now() WHERE organization_id = $1',
);
const EXTEND_TRIAL = scopedStatement(
  'billing.extendTrial',
  `UPDATE billing_subscriptions SET trial_end = greatest(trial_end, now()) + make_interval(days => $2), updated_at = now()
   WHERE organization_id = $1`,
);
const LINK_CUSTOMER = scopedStatement(
  'billing.linkCustomer',
  `UPDATE billing_subscriptions SET customer_id = CASE WHEN customer_id IS DISTINCT FROM $3 THEN customer_id ELSE $2 END,
     updated_at = now()
   WHERE organization_id = $1 RETURNING customer_id AS "customerId"`,
);
const BEGIN_ATTEMPT = scopedStatement(
  'billing.beginAttempt',
  'UPDATE billing_subscriptions SET upgrade_by = $2, updated_at = now() WHERE organization_id = $1',
);
const END_ATTEMPT = scopedStatement(
  'billing.endAttempt',
  `UPDATE billing_subscriptions SET upgrade_attempt = upgrade_attempt + 1, upgrade_by = NULL, upgrade_blocked_at = NULL
   WHERE organization_id = $1 AND upgrade_attempt = $2`,
);
const MARK_BLOCKED = scopedStatement(
  'billing.markBlocked',
  `UPDATE billing_subscriptions SET upgrade_blocked_at = coalesce(upgrade_blocked_at, now())
   WHERE organization_id = $1 AND upgrade_attempt = $2
   RETURNING upgrade_blocked_at < now() - interval '${BLOCKED_MINUTES} minutes' AS "isOver"`,
);
const TAKE_TICKET = scopedStatement(
  'billing.takeTicket',
  `UPDATE billing_subscriptions SET last_ticket = last_ticket + 1 WHERE organization_id = $1
   RETURNING last_ticket::float8 AS ticket`,
);
const MIRROR = scopedStatement(
  'billing.mirror',
  `UPDATE billing_subscriptions SET plan = $3, has_payment_method = $4, payment_overdue = $5, mirrored_ticket = $2,
     updated_at = now() WHERE organization_id = $1 AND mirrored_ticket < $2`,
);
const FIND_BY_CUSTOMER = asSystem('a signed message of the payment provider names its customer').statement(
  'billing.findByCustomer',
  'SELECT organization_id AS "organizationId" FROM billing_subscriptions WHERE customer_id = $1',
);

/** The state of an organization at the payment provider. */
export interface MirroredState {
  plan: PlanType;
  hasPaymentMethod: boolean;
  paymentOverdue: boolean;
}

/** Storage for organizations' subscriptions. */
@Injectable()
export class AccountsRepository {
  constructor(private readonly database: Database) {}

  /** @param month the first day of the current period */
  async find(
    organizationId: OrganizationId,
    month: Date,
    on: Executor = this.database,
  ): Promise<BillingAccount | null> {
    const day = month.toISOString().slice(0, 10);
    return (await on.rows<BillingAccount>(READ, [organizationId, day]))[0] ?? null;
  }

  /** Creates the row if it does not exist. */
  async ensure(organizationId: OrganizationId, on: Executor = this.database): Promise<void> {
    await on.execute(ENSURE, [organizationId]);
  }

  /** Locks the account until the transaction ends. */
  async hold(organizationId: OrganizationId, tx: Transaction): Promise<void> {
    await this.ensure(organizationId, tx);
    await tx.rows(LOCK, [organizationId]);
  }

  async setPlan(organizationId: OrganizationId, plan: PlanType, tx: Transaction): Promise<void> {
    await tx.execute(SET_PLAN, [organizationId, plan]);
  }

  /** From its end, or from now if it has ended. */
  async extendTrial(organizationId: OrganizationId, days: number, tx: Transaction): Promise<void> {
    await tx.execute(EXTEND_TRIAL, [organizationId, days]);
  }

  /**
   * Of concurrent calls, the first customer stays.
   *
   * @param gone the deleted customer to be replaced; null if there was none
   * @returns the customer that stays
   */
  async linkCustomer(organizationId: OrganizationId, customerId: string, gone: string | null): Promise<string> {
    const values = [organizationId, customerId, gone];
    const [row] = await this.database.rows<{ customerId: string }>(LINK_CUSTOMER, values);
    return row!.customerId;
  }

  /** Records who asks for the upgrade, so that it is attributed to them however it is reported. */
  async beginAttempt(organizationId: OrganizationId, actor: Actor): Promise<void> {
    await this.ensure(organizationId);
    await this.database.execute(BEGIN_ATTEMPT, [organizationId, JSON.stringify(actor)]);
  }

  /** Records the end of an attempt, so that the next one is a new attempt. */
  async endAttempt(organizationId: OrganizationId, attempt: number): Promise<void> {
    await this.database.execute(END_ATTEMPT, [organizationId, attempt]);
  }

  /**
   * Notes that the key of an attempt is taken by a request of which nothing was heard, and ends the attempt once that
   * request cannot be running any more.
   */
  async endBlockedAttempt(organizationId: OrganizationId, attempt: number): Promise<void> {
    const [row] = await this.database.rows<{ isOver: boolean }>(MARK_BLOCKED, [organizationId, attempt]);
    if (row?.isOver) await this.endAttempt(organizationId, attempt);
  }

  /** A number greater than all those taken before. */
  async takeTicket(organizationId: OrganizationId): Promise<number> {
    const [row] = await this.database.rows<{ ticket: number }>(TAKE_TICKET, [organizationId]);
    return row!.ticket;
  }

  /** Stores a state, unless one with a later ticket is stored already. */
  async mirror(organizationId: OrganizationId, ticket: number, state: MirroredState, tx: Transaction): Promise<void> {
    const { plan, hasPaymentMethod, paymentOverdue } = state;
    await tx.execute(MIRROR, [organizationId, ticket, plan, hasPaymentMethod, paymentOverdue]);
  }

  async findByCustomer(customerId: string): Promise<OrganizationId | null> {
    const rows = await this.database.rows<{ organizationId: OrganizationId }>(FIND_BY_CUSTOMER, [customerId]);
    return rows[0]?.organizationId ?? null;
  }
}
