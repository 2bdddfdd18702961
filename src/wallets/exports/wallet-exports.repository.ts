import { Injectable } from '@nestjs/common';
import type { HpkeKem } from '../../custody/index.js';
import { Database, ScopedRepository, scopedStatement, type EnvironmentId } from '../../database/index.js';
import { WalletExport } from './wallet-export.entity.js';

/** From the request to the key. */
export const EXPORT_SECONDS = 300;

const OPEN = scopedStatement(
  'walletExports.insert',
  `INSERT INTO wallet_exports (environment_id, id, user_id, session_id, wallet_id, kem, public_key, expires_at)
   SELECT $1, $2, $3, $4, w.id, $6, $7, now() + make_interval(secs => ${EXPORT_SECONDS})
   FROM wallets w WHERE w.environment_id = $1 AND w.user_id = $3 AND w.id = $5 AND w.deleted_at IS NULL`,
);

const USE = scopedStatement(
  'walletExports.redeem',
  `UPDATE wallet_exports SET used_at = now()
   WHERE environment_id = $1 AND id = $2 AND user_id = $3 AND session_id = $4 AND wallet_id = $5
     AND used_at IS NULL AND expires_at > now()
   RETURNING kem, public_key AS "publicKey"`,
);

/** Who fetches which export. */
export interface ExportClaim {
  readonly activityId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly walletId: string;
}

export interface ExportRecipient {
  readonly kem: HpkeKem;
  readonly publicKey: Buffer;
}

@Injectable()
export class WalletExportsRepository extends ScopedRepository<WalletExport> {
  constructor(database: Database) {
    super(database, WalletExport);
  }

  /** False when the wallet went away meanwhile. */
  async open(environmentId: EnvironmentId, claim: ExportClaim, { kem, publicKey }: ExportRecipient): Promise<boolean> {
    const { activityId, userId, sessionId, walletId } = claim;
    const values = [environmentId, activityId, userId, sessionId, walletId, kem, publicKey];
    return (await this.database.execute(OPEN, values)) === 1;
  }

  /** The recipient, for the one call that fetches it in time; null for all others. */
  async use(
    environmentId: EnvironmentId,
    { activityId, userId, sessionId, walletId }: ExportClaim,
  ): Promise<ExportRecipient | null> {
    const values = [environmentId, activityId, userId, sessionId, walletId];
    return (await this.database.rows<ExportRecipient>(USE, values))[0] ?? null;
  }
}
