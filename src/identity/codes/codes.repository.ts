import { Injectable } from '@nestjs/common';
import {
  Database,
  scopedStatement,
  type EnvironmentId,
  type Executor,
  type Transaction,
} from '../../database/index.js';

/** P3. Never scales. */
export const MAX_ATTEMPTS = 5;
/** P6. Never scales. */
export const MAX_FAILURES = 100;

const DESTINATION =
  'd (environment_id, destination_hash, last_sent_at, hour_started_at, sent_in_hour, day_started_at, sent_in_day)';
/**
 * The budget of an address (P4), decided by one guarded upsert: windows begin with the first code sent in them. Of
 * callers at the same moment, those behind the first see its row and match nothing.
 */
const WITHIN_BUDGET = `
  ON CONFLICT (environment_id, destination_hash) DO UPDATE SET
    last_sent_at = now(),
    hour_started_at = CASE WHEN d.hour_started_at <= now() - interval '1 hour' THEN now() ELSE d.hour_started_at END,
    sent_in_hour = CASE WHEN d.hour_started_at <= now() - interval '1 hour' THEN 1 ELSE d.sent_in_hour + 1 END,
    day_started_at = CASE WHEN d.day_started_at <= now() - interval '1 day' THEN now() ELSE d.day_started_at END,
    sent_in_day = CASE WHEN d.day_started_at <= now() - interval '1 day' THEN 1 ELSE d.sent_in_day + 1 END
  WHERE d.failures < ${MAX_FAILURES}
    AND d.last_sent_at <= now() - make_interval(secs => $7)
    AND (d.sent_in_hour < $8 OR d.hour_started_at <= now() - interval '1 hour')
    AND (d.sent_in_day < $9 OR d.day_started_at <= now() - interval '1 day')
  RETURNING d.destination_hash`;

/** How codes travel. */
export type ChannelName = 'email' | 'sms';

/** The same statements for each table of verifications; budgets and failures of addresses stand in one table. */
const statementsOf = (aggregate: string, table: string, address: string) => ({
  create: scopedStatement(
    `${aggregate}.create`,
    `WITH allowed AS (
       INSERT INTO code_destinations AS ${DESTINATION} VALUES ($1, $3, now(), now(), 1, now(), 1) ${WITHIN_BUDGET})
     INSERT INTO ${table} (environment_id, id, destination_hash, ${address}, code_hmac, expires_at)
     SELECT $1, $2, $3, $4, $5, now() + make_interval(secs => $6) FROM allowed
     RETURNING id`,
  ),
  replace: scopedStatement(
    `${aggregate}.replace`,
    `WITH target AS (
       SELECT id FROM ${table}
       WHERE environment_id = $1 AND id = $2 AND destination_hash = $3 AND ${address} = $4 AND used_at IS NULL FOR UPDATE),
     allowed AS (
       INSERT INTO code_destinations AS ${DESTINATION}
       SELECT $1, $3, now(), now(), 1, now(), 1 FROM target ${WITHIN_BUDGET})
     UPDATE ${table} SET code_hmac = $5, attempts = 0, expires_at = now() + make_interval(secs => $6)
     WHERE environment_id = $1 AND id IN (SELECT id FROM target) AND EXISTS (SELECT FROM allowed)
     RETURNING id`,
  ),
  isOpen: scopedStatement(
    `${aggregate}.checkOpen`,
    `SELECT 1 FROM ${table} WHERE environment_id = $1 AND id = $2 AND ${address} = $3 AND used_at IS NULL`,
  ),
  attempt: scopedStatement(
    `${aggregate}.attempt`,
    `WITH tried AS (
       UPDATE ${table} SET attempts = attempts + 1
       WHERE environment_id = $1 AND id = $2 AND attempts < ${MAX_ATTEMPTS} AND used_at IS NULL AND expires_at > now()
       RETURNING ${address} AS address, code_hmac, destination_hash),
     counted AS (
       UPDATE code_destinations d SET failures = failures + 1 FROM tried
       WHERE d.environment_id = $1 AND d.destination_hash = tried.destination_hash AND d.failures < ${MAX_FAILURES}
       RETURNING d.failures)
     SELECT (SELECT address FROM tried) AS address, (SELECT code_hmac FROM tried) AS "codeHmac",
       EXISTS (SELECT FROM counted) AS "isCounted",
       EXISTS (SELECT FROM ${table} WHERE environment_id = $1 AND id = $2
         AND attempts >= ${MAX_ATTEMPTS} AND used_at IS NULL AND expires_at > now()) AS "isExhausted"`,
  ),
  isExhausted: scopedStatement(
    `${aggregate}.checkExhausted`,
    `SELECT 1 FROM ${table} WHERE environment_id = $1 AND id = $2
       AND attempts >= ${MAX_ATTEMPTS} AND used_at IS NULL AND expires_at > now()`,
  ),
  consume: scopedStatement(
    `${aggregate}.consume`,
    `WITH consumed AS (
       UPDATE ${table} SET used_at = now()
       WHERE environment_id = $1 AND id = $2 AND code_hmac = $3 AND used_at IS NULL AND expires_at > now()
       RETURNING destination_hash)
     UPDATE code_destinations d SET failures = 0 FROM consumed
     WHERE d.environment_id = $1 AND d.destination_hash = consumed.destination_hash
     RETURNING 1`,
  ),
});

const STATEMENTS: Record<ChannelName, ReturnType<typeof statementsOf>> = {
  email: statementsOf('emailCodes', 'email_verifications', 'email'),
  sms: statementsOf('smsCodes', 'sms_verifications', 'phone_number'),
};

const REFUSAL = scopedStatement(
  'codes.readRefusal',
  `SELECT failures, greatest(
     extract(epoch FROM last_sent_at - now()) + $3,
     CASE WHEN sent_in_hour >= $4 THEN extract(epoch FROM hour_started_at - now()) + 3600 ELSE 0 END,
     CASE WHEN sent_in_day >= $5 THEN extract(epoch FROM day_started_at - now()) + 86400 ELSE 0 END)::float AS wait
   FROM code_destinations WHERE environment_id = $1 AND destination_hash = $2`,
);
const FORGIVE = scopedStatement(
  'codes.forgive',
  `UPDATE code_destinations SET failures = 0
   WHERE environment_id = $1 AND destination_hash = ANY($2::bytea[]) AND failures > 0`,
);

/** What an address may receive; a cooldown of 0 seconds admits the next code at once. */
export interface SendingLimits {
  cooldownSeconds: number;
  perHour: number;
  perDay: number;
}

export interface NewCode {
  id: string;
  destinationHash: Buffer;
  /** In normal form. */
  address: string;
  codeHmac: Buffer;
  ttlSeconds: number;
}

export interface CodeAttempt {
  /** Null when the code can no longer be tried, or never could. */
  address: string | null;
  codeHmac: Buffer | null;
  /** False when the address has failed too often. */
  isCounted: boolean;
  /** Whether the code had been tried as often as it can be. */
  isExhausted: boolean;
}

@Injectable()
export class CodesRepository {
  constructor(private readonly database: Database) {}

  /** Stores a code for a new verification. @returns false when the address may not receive one now */
  async create(
    environmentId: EnvironmentId,
    channel: ChannelName,
    code: NewCode,
    limits: SendingLimits,
  ): Promise<boolean> {
    return (await this.database.rows(STATEMENTS[channel].create, valuesOf(environmentId, code, limits))).length === 1;
  }

  /** Puts a new code in the place of the old one. @returns false when there is no such verification, or not now */
  async replace(
    environmentId: EnvironmentId,
    channel: ChannelName,
    code: NewCode,
    limits: SendingLimits,
  ): Promise<boolean> {
    return (await this.database.rows(STATEMENTS[channel].replace, valuesOf(environmentId, code, limits))).length === 1;
  }

  /** Why an address was refused. */
  async findRefusal(
    environmentId: EnvironmentId,
    destinationHash: Buffer,
    { cooldownSeconds, perHour, perDay }: SendingLimits,
  ): Promise<{ failures: number; wait: number } | null> {
    const values = [environmentId, destinationHash, cooldownSeconds, perHour, perDay];
    return (await this.database.rows<{ failures: number; wait: number }>(REFUSAL, values))[0] ?? null;
  }

  async isOpen(environmentId: EnvironmentId, channel: ChannelName, id: string, address: string): Promise<boolean> {
    return (await this.database.rows(STATEMENTS[channel].isOpen, [environmentId, id, address])).length === 1;
  }

  /** P3: a statement of its own, so that the count stands whatever becomes of the sign-in. */
  async attempt(environmentId: EnvironmentId, channel: ChannelName, id: string): Promise<CodeAttempt> {
    const attempt = (await this.database.rows<CodeAttempt>(STATEMENTS[channel].attempt, [environmentId, id]))[0]!;
    if (attempt.address !== null || attempt.isExhausted) return attempt;
    return {
      ...attempt,
      isExhausted: (await this.database.rows(STATEMENTS[channel].isExhausted, [environmentId, id])).length === 1,
    };
  }

  /** Uses a code up. @returns true for one caller alone */
  async consume(
    environmentId: EnvironmentId,
    channel: ChannelName,
    id: string,
    codeHmac: Buffer,
    tx: Transaction,
  ): Promise<boolean> {
    return (await tx.rows(STATEMENTS[channel].consume, [environmentId, id, codeHmac])).length === 1;
  }

  async forgive(environmentId: EnvironmentId, destinationHashes: readonly Buffer[], on: Executor): Promise<void> {
    await on.execute(FORGIVE, [environmentId, destinationHashes]);
  }
}

const valuesOf = (environmentId: EnvironmentId, code: NewCode, limits: SendingLimits): unknown[] => [
  environmentId,
  code.id,
  code.destinationHash,
  code.address,
  code.codeHmac,
  code.ttlSeconds,
  limits.cooldownSeconds,
  limits.perHour,
  limits.perDay,
];
