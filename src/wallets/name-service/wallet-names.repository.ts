import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';

/** An EVM wallet that its user has proven, or whose keys are kept here. */
const PROVEN = `w.environment_id = $1 AND w.chain IN ('EVM', 'ETH', 'eip155') AND w.deleted_at IS NULL
  AND (w.kind = 'embedded' OR EXISTS (SELECT 1 FROM credentials c
    WHERE c.environment_id = $1 AND c.wallet_id = w.id AND c.user_id = w.user_id AND c.verified_at IS NOT NULL))`;

/** Of concurrent callers, one gets the name; for the others this is a no-op. */
const CLAIM = scopedStatement(
  'walletNames.claim',
  `INSERT INTO wallet_names (environment_id, id, service_id, handle, wallet_id)
   SELECT $1, $2, $3, $4, w.id FROM wallets w WHERE ${PROVEN} AND w.user_id = $5 AND lower(w.address) = lower($6)
   ORDER BY w.id LIMIT 1
   ON CONFLICT DO NOTHING RETURNING id`,
);
const OWN = scopedStatement(
  'walletNames.findOwn',
  `SELECT w.id, w.address, n.handle, n.id AS "nameId" FROM wallets w
   LEFT JOIN wallet_names n ON n.environment_id = $1 AND n.wallet_id = w.id
   WHERE ${PROVEN} AND w.user_id = $2 AND lower(w.address) = lower($3) ORDER BY w.id LIMIT 1`,
);
const RELEASE = scopedStatement(
  'walletNames.release',
  `DELETE FROM wallet_names n USING wallets w
   WHERE n.environment_id = $1 AND n.handle = $3 AND w.environment_id = $1 AND w.id = n.wallet_id AND w.user_id = $2
   RETURNING n.id`,
);
const IS_FREE = scopedStatement(
  'walletNames.isFree',
  'SELECT 1 FROM wallet_names WHERE environment_id = $1 AND service_id = $2 AND handle = $3',
);
const RESOLVE = scopedStatement(
  'walletNames.findAddress',
  `SELECT w.address FROM wallet_names n JOIN wallets w ON w.environment_id = n.environment_id AND w.id = n.wallet_id
   WHERE n.environment_id = $1 AND n.service_id = $2 AND n.handle = $3 AND ${PROVEN}`,
);

/** A wallet of the caller, and its name. */
export interface NamedWallet {
  id: string;
  address: string;
  handle: string | null;
  nameId: string | null;
}

@Injectable()
export class WalletNamesRepository {
  constructor(private readonly database: Database) {}

  /** False when the name or the wallet is taken, or the user has no such wallet. */
  async claim(
    environmentId: EnvironmentId,
    name: { id: string; serviceId: string; handle: string; userId: string; address: string },
    tx: Transaction,
  ): Promise<boolean> {
    const { id, serviceId, handle, userId, address } = name;
    return (await tx.rows(CLAIM, [environmentId, id, serviceId, handle, userId, address])).length === 1;
  }

  async findOwn(
    environmentId: EnvironmentId,
    userId: string,
    address: string,
    tx: Transaction,
  ): Promise<NamedWallet | null> {
    return (await tx.rows<NamedWallet>(OWN, [environmentId, userId, address]))[0] ?? null;
  }

  /** The id of the name; null when no wallet of the user has this name. */
  async release(environmentId: EnvironmentId, userId: string, handle: string, tx: Transaction): Promise<string | null> {
    return (await tx.rows<{ id: string }>(RELEASE, [environmentId, userId, handle]))[0]?.id ?? null;
  }

  async isFree(environmentId: EnvironmentId, serviceId: string, handle: string): Promise<boolean> {
    return (await this.database.rows(IS_FREE, [environmentId, serviceId, handle])).length === 0;
  }

  /** The address of the wallet with this name. */
  async resolve(environmentId: EnvironmentId, serviceId: string, handle: string): Promise<string | null> {
    const rows = await this.database.rows<{ address: string }>(RESOLVE, [environmentId, serviceId, handle]);
    return rows[0]?.address ?? null;
  }
}
