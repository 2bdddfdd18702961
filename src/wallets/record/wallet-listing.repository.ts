import { Injectable } from '@nestjs/common';
import type { CustodyVersion } from '../../custody/index.js';
import { asSystem, Database, scopedStatement, type EnvironmentId } from '../../database/index.js';
import type { WalletDetail } from './wallet-detail.dto.js';

// The count comes from the trigger-maintained slots and is joined, so that an empty page has it too.
const PAGE = scopedStatement(
  'wallets.list',
  `SELECT total.count, page.* FROM (
     SELECT coalesce(sum(wallets), 0)::int AS count FROM wallet_counts WHERE environment_id = $1
   ) AS total LEFT JOIN LATERAL (
     SELECT w.id, w.user_id AS "userId", w.name, w.chain, w.address AS "publicKey",
       lower(w.address) AS "lowerPublicKey", w.provider, w.additional_addresses AS "walletAdditionalAddresses",
       w.last_selected_at AS "lastSelectedAt", w.updated_at AS "updatedAt", w.created_at AS "createdAt",
       w.deleted_at AS "deletedAt",
       CASE WHEN w.account_index IS NOT NULL THEN w.seed_id END AS "keyvaultHDWalletId", w.environment_id AS "projectEnvironmentId"
     FROM wallets w WHERE w.environment_id = $1 ORDER BY w.id DESC LIMIT $2 OFFSET $3) AS page ON true
   ORDER BY page.id DESC`,
);

const VERSIONS = scopedStatement(
  'wallets.listVersions',
  `SELECT v.version FROM unnest($2::text[]) WITH ORDINALITY AS v (version, place) WHERE EXISTS (
     SELECT 1 FROM wallets w
     WHERE w.environment_id = $1 AND w.version = v.version AND w.kind = 'embedded' AND w.deleted_at IS NULL)
   ORDER BY v.place`,
);

const OWNERS = asSystem('the path of a legacy route names a wallet and no environment').statement(
  'wallets.listOwners',
  `SELECT e.id FROM members m
   JOIN projects p ON p.organization_id = m.organization_id AND p.deleted_at IS NULL
   JOIN environments e ON e.project_id = p.id
   JOIN wallets w ON w.environment_id = e.id AND w.id = $1
   WHERE m.user_id = $2 LIMIT 2`,
);

export interface WalletPage {
  readonly count: number;
  readonly wallets: WalletDetail[];
}

type PageRow = { count: number } & (WalletDetail | { id: null });

/** Queries across all wallets of an environment. */
@Injectable()
export class WalletListingRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  async page(environmentId: EnvironmentId, limit: number, offset: number): Promise<WalletPage> {
    const rows = await this.database.rows<PageRow>(PAGE, [environmentId, limit, offset]);
    const wallets = rows.filter((row): row is WalletDetail & { count: number } => row.id !== null);
    return { count: rows[0]?.count ?? 0, wallets };
  }

  /** The versions that some embedded wallet has, in the order given. */
  async versionsInUse<V extends CustodyVersion>(environmentId: EnvironmentId, versions: readonly V[]): Promise<V[]> {
    const rows = await this.database.rows<{ version: V }>(VERSIONS, [environmentId, versions]);
    return rows.map(({ version }) => version);
  }

  /** Environments with this wallet among those of a member's organizations; two are enough to detect ambiguity. */
  async listOwners(walletId: string, memberUserId: string): Promise<string[]> {
    return (await this.database.rows<{ id: string }>(OWNERS, [walletId, memberUserId])).map(({ id }) => id);
  }
}
