import { Injectable } from '@nestjs/common';
import type { CustodyVersion, KeyOwner } from '../../src/custody/index.js';
import {
  Database,
  dueRowsStatement,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Executor,
  type Transaction,
} from '../../src/database/index.js';
import { VendorKeysRow } from './vendor-keys.entity.js';

const LIVE = scopedStatement(
  'vendorKeys.list',
  'SELECT id FROM vendor_keys WHERE environment_id = $1 AND user_id = $2 AND version = $3 AND destroy_after IS NULL',
);
// Due in an hour unless they are stored: whoever makes them may be killed before that.
const DRAFT = scopedStatement(
  'vendorKeys.addDraft',
  `INSERT INTO vendor_keys (environment_id, id, user_id, version, destroy_after)
   VALUES ($1, $2, $3, $4, now() + interval '1 hour')`,
);
// Only as drafted: `takeDue` puts off when they are due, and then they may be gone already.
const STORE = scopedStatement(
  'vendorKeys.store',
  `WITH draft AS (
     DELETE FROM vendor_keys WHERE environment_id = $1 AND id = $2 AND destroy_after = created_at + interval '1 hour'
     RETURNING environment_id, id, user_id, version)
   INSERT INTO vendor_keys (environment_id, id, user_id, version) SELECT * FROM draft ON CONFLICT DO NOTHING`,
);
const RETIRE = scopedStatement(
  'vendorKeys.retire',
  `UPDATE vendor_keys SET destroy_after = now() + make_interval(days => $4)
   WHERE environment_id = $1 AND user_id = $2 AND version = $3 AND ($5::uuid IS NULL OR id = $5) AND destroy_after IS NULL
   RETURNING id`,
);
const NOTE_EXPORT = scopedStatement(
  'vendorKeys.noteExport',
  'UPDATE vendor_keys SET exported_at = now() WHERE environment_id = $1 AND exported_at IS NULL',
);
// Due again in an hour if the vendor does not respond.
const TAKE_DUE = dueRowsStatement(
  'vendorKeys.takeDue',
  `WITH due AS MATERIALIZED (
     SELECT environment_id, id FROM vendor_keys WHERE version = $1 AND destroy_after <= now()
     ORDER BY destroy_after LIMIT 100 FOR UPDATE SKIP LOCKED)
   UPDATE vendor_keys k SET destroy_after = now() + interval '1 hour' FROM due
   WHERE k.environment_id = due.environment_id AND k.id = due.id
   RETURNING k.environment_id AS "environmentId", k.id`,
);

/** A user's keys at one vendor. */
export interface KeysAtVendor extends KeyOwner {
  readonly version: CustodyVersion;
}

@Injectable()
export class VendorKeysRepository extends ScopedRepository<VendorKeysRow> {
  constructor(database: Database) {
    super(database, VendorKeysRow);
  }

  async findLiveId(
    { environmentId, userId, version }: KeysAtVendor,
    on: Executor = this.database,
  ): Promise<string | null> {
    return (await on.rows<{ id: string }>(LIVE, [environmentId, userId, version]))[0]?.id ?? null;
  }

  /** Notes keys before they are made, so that they are destroyed if they are never stored. */
  async draft({ environmentId, userId, version }: KeysAtVendor, keysId: string): Promise<void> {
    await this.database.execute(DRAFT, [environmentId, keysId, userId, version]);
  }

  /** Makes drafted keys those of their user. False if the user has others by now, or they are being destroyed. */
  async store(environmentId: EnvironmentId, keysId: string, tx: Transaction): Promise<boolean> {
    return (await tx.execute(STORE, [environmentId, keysId])) === 1;
  }

  /** @param keysId null for all keys of the user */
  async retire(
    { environmentId, userId, version }: KeysAtVendor,
    { days, keysId }: { days: number; keysId: string | null },
    tx: Transaction,
  ): Promise<string[]> {
    const rows = await tx.rows<{ id: string }>(RETIRE, [environmentId, userId, version, days, keysId]);
    return rows.map(({ id }) => id);
  }

  async noteExport(environmentId: EnvironmentId, tx: Transaction): Promise<void> {
    await tx.execute(NOTE_EXPORT, [environmentId]);
  }

  /** Called once they are destroyed at the vendor, or left there. */
  remove(environmentId: EnvironmentId, id: string): Promise<number> {
    return this.delete(environmentId, { id }, this.database);
  }

  /** A batch of keys past their retention, from all environments. */
  takeDue(version: CustodyVersion): Promise<{ environmentId: EnvironmentId; id: string }[]> {
    return this.database.rows(TAKE_DUE, [version]);
  }
}
