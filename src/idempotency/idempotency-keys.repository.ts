import { Injectable } from '@nestjs/common';
import { Database, deploymentStatement, scopedStatement, type Executor, type Transaction } from '../database/index.js';
import type { KeyedCall } from './keyed-call.js';

/** How long a retry gets the first response. */
const KEPT = "interval '24 hours'";

export interface SealedAnswer {
  status: number;
  sealedBody: Buffer;
  masterKeyId: string;
}

/** An advisory lock, which locks no row. Another call with the key holds it until its transaction ends in any way. */
const HOLD = deploymentStatement(
  'idempotency.hold',
  `SELECT pg_try_advisory_xact_lock(hashtextextended($1::text || $2::text, 7)) AS held`,
);

const FIND = scopedStatement(
  'idempotency.find',
  `SELECT request_hash AS "requestHash", status, sealed_body AS "sealedBody", master_key_id AS "masterKeyId"
   FROM idempotency_keys WHERE environment_id = $1 AND id = $2 AND expires_at > now()`,
);

/** Overwrites only expired rows. */
const INSERT = scopedStatement(
  'idempotency.insert',
  `INSERT INTO idempotency_keys AS k (environment_id, id, request_hash, status, sealed_body, master_key_id, expires_at)
   SELECT $1, $2, $3, $4, $5, $6, now() + ${KEPT}
   ON CONFLICT (environment_id, id) DO UPDATE
     SET request_hash = excluded.request_hash, status = excluded.status, sealed_body = excluded.sealed_body,
       master_key_id = excluded.master_key_id, created_at = excluded.created_at, expires_at = excluded.expires_at
     WHERE k.expires_at <= now()`,
);

/** Stored responses of keyed calls. */
@Injectable()
export class IdempotencyKeysRepository {
  constructor(private readonly database: Database) {}

  /** Locks the key until the transaction ends; false if another call holds it. */
  async hold({ environmentId, id }: KeyedCall, tx: Transaction): Promise<boolean> {
    const [row] = await tx.rows<{ held: boolean }>(HOLD, [environmentId, id]);
    return row!.held;
  }

  async find(
    { environmentId, id }: KeyedCall,
    on: Executor = this.database,
  ): Promise<(SealedAnswer & { requestHash: Buffer }) | null> {
    return (await on.rows<SealedAnswer & { requestHash: Buffer }>(FIND, [environmentId, id]))[0] ?? null;
  }

  /** False if a response is stored already. */
  async insert(call: KeyedCall, answer: SealedAnswer, tx: Transaction): Promise<boolean> {
    const { environmentId, id, requestHash } = call;
    const { status, sealedBody, masterKeyId } = answer;
    return (await tx.execute(INSERT, [environmentId, id, requestHash, status, sealedBody, masterKeyId])) === 1;
  }
}
