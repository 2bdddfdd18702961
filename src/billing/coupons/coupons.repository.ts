import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../../auth/index.js';
import { Database, scopedStatement, type Transaction, deploymentStatement } from '../../database/index.js';
import type { NewCoupon } from './coupon.js';

const INSERT = deploymentStatement(
  'coupons.insert',
  `INSERT INTO billing_coupons (code, trial_days, percent_off, max_redemptions, expires_at)
   VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
);
/** Decides races for the last redemption: when none is left, no row is updated. */
const TAKE = deploymentStatement(
  'coupons.take',
  `UPDATE billing_coupons SET redemptions = redemptions + 1
   WHERE code = $1 AND (expires_at IS NULL OR expires_at > now())
     AND (max_redemptions IS NULL OR redemptions < max_redemptions)
   RETURNING trial_days AS "trialDays"`,
);
const FIND = deploymentStatement(
  'coupons.find',
  `SELECT expires_at IS NOT NULL AND expires_at <= now() AS expired FROM billing_coupons WHERE code = $1`,
);
const REDEEM = scopedStatement(
  'coupons.redeem',
  'INSERT INTO billing_redemptions (organization_id, coupon) VALUES ($1, $2)',
);
const LIST_DISCOUNTS = scopedStatement(
  'coupons.listDiscounts',
  `SELECT r.coupon FROM billing_redemptions r JOIN billing_coupons c ON c.code = r.coupon
   WHERE r.organization_id = $1 AND c.percent_off IS NOT NULL ORDER BY r.redeemed_at, r.coupon`,
);

@Injectable()
export class CouponsRepository {
  constructor(private readonly database: Database) {}

  /** @returns false when the code exists already */
  async insert({ code, trialDays, percentOff, maxRedemptions, expiresAt }: NewCoupon): Promise<boolean> {
    const values = [code, trialDays, percentOff, maxRedemptions, expiresAt];
    return (await this.database.execute(INSERT, values)) === 1;
  }

  /** Uses up one redemption; null when there is none left. */
  async take(code: string, tx: Transaction): Promise<{ trialDays: number | null } | null> {
    return (await tx.rows<{ trialDays: number | null }>(TAKE, [code]))[0] ?? null;
  }

  async find(code: string, tx: Transaction): Promise<{ expired: boolean } | null> {
    return (await tx.rows<{ expired: boolean }>(FIND, [code]))[0] ?? null;
  }

  async redeem(organizationId: OrganizationId, code: string, tx: Transaction): Promise<void> {
    await tx.execute(REDEEM, [organizationId, code]);
  }

  /** Codes of redeemed coupons that discount payments, oldest first. */
  async listDiscounts(organizationId: OrganizationId): Promise<string[]> {
    const rows = await this.database.rows<{ coupon: string }>(LIST_DISCOUNTS, [organizationId]);
    return rows.map(({ coupon }) => coupon);
  }
}
