import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Executor,
  type Transaction,
} from '../../src/database/index.js';
import { VendorKeysRow } from './vendor-keys.entity.js';

const LIVE = scopedStatement(
  'vendorKeys.list',
  'SELECT id FROM vendor_keys WHERE environment_id = $1 AND user_id = $2 AND destroy_after IS NULL',
);
const RETIRE = scopedStatement(
  'vendorKeys.retire',
  `UPDATE vendor_keys SET destroy_after = now() + make_interval(days => $3)
   WHERE environment_id = $1 AND user_id = $2 AND ($4::uuid IS NULL OR id = $4) AND destroy_after IS NULL
   RETURNING id`,
);

@Injectable()
export class VendorKeysRepository extends ScopedRepository<VendorKeysRow> {
  constructor(database: Database) {
    super(database, VendorKeysRow);
  }

  async findLiveId(environmentId: EnvironmentId, userId: string, on: Executor = this.database): Promise<string | null> {
    return (await on.rows<{ id: string }>(LIVE, [environmentId, userId]))[0]?.id ?? null;
  }

  /** @param keysId null for all keys of the user */
  async retire(
    environmentId: EnvironmentId,
    userId: string,
    { days, keysId }: { days: number; keysId: string | null },
    tx: Transaction,
  ): Promise<string[]> {
    return (await tx.rows<{ id: string }>(RETIRE, [environmentId, userId, days, keysId])).map(({ id }) => id);
  }
}
