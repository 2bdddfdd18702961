import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';
import { failed, isFree, OF_NETWORK, OF_STRANGERS, STRANGERS_WINDOW } from './code-backoff.js';

/** Attempts per code, correct or not. Never scaled. */
export const MAX_ATTEMPTS = 5;

/** Whether strangers may be sent one more of `$11` codes. */
const hasRoom = (row: string): string =>
  `(${isFree(row)} AND (${row}.sent_in_window < $11 OR ${row}.window_started_at <= now() - ${STRANGERS_WINDOW}))`;

/**
 * Decides with guarded upserts in one statement whether a code may be sent: windows begin with the first code sent in
 * them, and of concurrent callers, those after the first see its row and match nothing. Each network has its own
 * limits; from networks that the address has not signed in from, the address's limit applies as well. What the address
 * refuses does not count against the network.
 */
const withinBudget = (asked: string): string => `
  network AS (
    INSERT INTO code_networks AS n (environment_id, destination_hash, network_hash, last_sent_at, sent_in_hour, sent_in_day)
    SELECT $1, $3, $10, now(), 1, 1 ${asked}
      NOT EXISTS (SELECT FROM code_destinations d
        WHERE d.environment_id = $1 AND d.destination_hash = $3 AND NOT ${hasRoom('d')})
      OR EXISTS (SELECT FROM code_networks k
        WHERE k.environment_id = $1 AND k.destination_hash = $3 AND k.network_hash = $10 AND k.signed_in_at IS NOT NULL)
    ON CONFLICT (environment_id, destination_hash, network_hash) DO UPDATE SET
      last_sent_at = now(), seen_at = now(),
      hour_started_at = CASE WHEN n.hour_started_at <= now() - interval '1 hour' THEN now() ELSE n.hour_started_at END,
      sent_in_hour = CASE WHEN n.hour_started_at <= now() - interval '1 hour' THEN 1 ELSE n.sent_in_hour + 1 END,
      day_started_at = CASE WHEN n.day_started_at <= now() - interval '1 day' THEN now() ELSE n.day_started_at END,
      sent_in_day = CASE WHEN n.day_started_at <= now() - interval '1 day' THEN 1 ELSE n.sent_in_day + 1 END
    WHERE ${isFree('n')}
      AND (n.last_sent_at IS NULL OR n.last_sent_at <= now() - make_interval(secs => $7))
      AND (n.sent_in_hour < $8 OR n.hour_started_at <= now() - interval '1 hour')
      AND (n.sent_in_day < $9 OR n.day_started_at <= now() - interval '1 day')
    RETURNING n.signed_in_at),
  allowed AS (
    INSERT INTO code_destinations AS d (environment_id, destination_hash, last_sent_at, sent_in_window)
    SELECT $1, $3, now(), CASE WHEN signed_in_at IS NULL THEN 1 ELSE 0 END FROM network
    ON CONFLICT (environment_id, destination_hash) DO UPDATE SET
      last_sent_at = now(),
      window_started_at = CASE WHEN d.window_started_at <= now() - ${STRANGERS_WINDOW} THEN now() ELSE d.window_started_at END,
      sent_in_window = excluded.sent_in_window
        + CASE WHEN d.window_started_at <= now() - ${STRANGERS_WINDOW} THEN 0 ELSE d.sent_in_window END
    WHERE excluded.sent_in_window = 0 OR ${hasRoom('d')}
    RETURNING d.destination_hash)`;

/** Seconds until the rows `n` of the network and `d` of the address allow the next attempt. */
const TRY_WAIT = `greatest(
  extract(epoch FROM n.waits_until - now()),
  CASE WHEN n.signed_in_at IS NULL THEN extract(epoch FROM d.waits_until - now()) END)`;

/** Channels for codes. */
export type ChannelName = 'email' | 'sms';

/** The same statements for each table of verifications; both share the tables of budgets and failures. */
const statementsOf = (aggregate: string, table: string, address: string) => ({
  create: scopedStatement(
    `${aggregate}.create`,
    `WITH ${withinBudget('WHERE')}
     INSERT INTO ${table} (environment_id, id, destination_hash, ${address}, code_hmac, expires_at)
     SELECT $1, $2, $3, $4, $5, now() + make_interval(secs => $6) FROM allowed
     RETURNING id`,
  ),
  replace: scopedStatement(
    `${aggregate}.replace`,
    `WITH target AS (
       SELECT id FROM ${table}
       WHERE environment_id = $1 AND id = $2 AND destination_hash = $3 AND ${address} = $4 AND used_at IS NULL FOR UPDATE),
     ${withinBudget('FROM target WHERE')}
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
    `WITH target AS (
       SELECT v.destination_hash FROM ${table} v
       JOIN code_destinations d ON d.environment_id = $1 AND d.destination_hash = v.destination_hash
       LEFT JOIN code_networks n
         ON n.environment_id = $1 AND n.destination_hash = v.destination_hash AND n.network_hash = $3
       WHERE v.environment_id = $1 AND v.id = $2
         AND v.attempts < ${MAX_ATTEMPTS} AND v.used_at IS NULL AND v.expires_at > now()
         AND (n.signed_in_at IS NOT NULL OR ${isFree('d')})
       FOR UPDATE OF v),
     network AS (
       INSERT INTO code_networks AS n (environment_id, destination_hash, network_hash, failures, failed_at)
       SELECT $1, destination_hash, $3, 1, now() FROM target
       ON CONFLICT (environment_id, destination_hash, network_hash) DO UPDATE SET
         seen_at = now(), ${failed('n', OF_NETWORK)}
       WHERE ${isFree('n')}
       RETURNING n.destination_hash, n.signed_in_at),
     counted AS (
       UPDATE code_destinations d SET ${failed('d', OF_STRANGERS)} FROM network
       WHERE d.environment_id = $1 AND d.destination_hash = network.destination_hash
         AND network.signed_in_at IS NULL AND ${isFree('d')}
       RETURNING d.destination_hash)
     UPDATE ${table} v SET attempts = attempts + 1 FROM network
     WHERE v.environment_id = $1 AND v.id = $2 AND v.attempts < ${MAX_ATTEMPTS}
       AND (network.signed_in_at IS NOT NULL OR EXISTS (SELECT FROM counted))
     RETURNING v.${address} AS address, v.code_hmac AS "codeHmac"`,
  ),
  refusedTry: scopedStatement(
    `${aggregate}.readRefusal`,
    `SELECT v.attempts >= ${MAX_ATTEMPTS} AS "isExhausted", ${TRY_WAIT}::float AS wait
     FROM ${table} v
     JOIN code_destinations d ON d.environment_id = $1 AND d.destination_hash = v.destination_hash
     LEFT JOIN code_networks n
       ON n.environment_id = $1 AND n.destination_hash = v.destination_hash AND n.network_hash = $3
     WHERE v.environment_id = $1 AND v.id = $2 AND v.used_at IS NULL AND v.expires_at > now()`,
  ),
  takeBack: scopedStatement(
    `${aggregate}.takeBack`,
    `WITH tried AS (
       UPDATE ${table} SET attempts = attempts - 1
       WHERE environment_id = $1 AND id = $2 AND code_hmac = $3 AND attempts > 0 AND used_at IS NULL
       RETURNING destination_hash),
     network AS (
       UPDATE code_networks n SET failures = greatest(n.failures - 1, 0), waits_until = NULL FROM tried
       WHERE n.environment_id = $1 AND n.destination_hash = tried.destination_hash AND n.network_hash = $4
       RETURNING n.destination_hash, n.signed_in_at)
     UPDATE code_destinations d SET failures = greatest(d.failures - 1, 0), waits_until = NULL FROM network
     WHERE d.environment_id = $1 AND d.destination_hash = network.destination_hash AND network.signed_in_at IS NULL`,
  ),
  consume: scopedStatement(
    `${aggregate}.consume`,
    `WITH consumed AS (
       UPDATE ${table} SET used_at = now()
       WHERE environment_id = $1 AND id = $2 AND code_hmac = $3 AND used_at IS NULL AND expires_at > now()
       RETURNING destination_hash),
     stranger AS (
       SELECT n.destination_hash, n.failures FROM code_networks n JOIN consumed USING (destination_hash)
       WHERE n.environment_id = $1 AND n.network_hash = $4 AND n.signed_in_at IS NULL),
     taken_back AS (
       UPDATE code_destinations d SET failures = greatest(d.failures - stranger.failures, 0), waits_until = NULL
       FROM stranger
       WHERE d.environment_id = $1 AND d.destination_hash = stranger.destination_hash),
     known AS (
       UPDATE code_networks n SET failures = 0, waits_until = NULL, signed_in_at = now(), seen_at = now() FROM consumed
       WHERE n.environment_id = $1 AND n.destination_hash = consumed.destination_hash AND n.network_hash = $4)
     SELECT 1 FROM consumed`,
  ),
});

const STATEMENTS: Record<ChannelName, ReturnType<typeof statementsOf>> = {
  email: statementsOf('emailCodes', 'email_verifications', 'email'),
  sms: statementsOf('smsCodes', 'sms_verifications', 'phone_number'),
};

const SENDING_WAIT = scopedStatement(
  'codes.readWait',
  `SELECT greatest(
     ${TRY_WAIT},
     extract(epoch FROM n.last_sent_at - now()) + $4,
     CASE WHEN n.sent_in_hour >= $5 THEN extract(epoch FROM n.hour_started_at - now()) + 3600 END,
     CASE WHEN n.sent_in_day >= $6 THEN extract(epoch FROM n.day_started_at - now()) + 86400 END,
     CASE WHEN n.signed_in_at IS NULL AND d.sent_in_window >= $7
       THEN extract(epoch FROM d.window_started_at + ${STRANGERS_WINDOW} - now()) END)::float AS wait
   FROM code_destinations d
   LEFT JOIN code_networks n
     ON n.environment_id = $1 AND n.destination_hash = d.destination_hash AND n.network_hash = $3
   WHERE d.environment_id = $1 AND d.destination_hash = $2`,
);
/**
 * Most returning users have no failures to reset, and their rows stay untouched. A row that somebody else has locked is
 * left as it is: a sign-in by code locks it before the user, whom this transaction holds already, and resets it anyway.
 */
const FORGIVE = scopedStatement(
  'codes.forgive',
  `WITH free AS (
     SELECT destination_hash FROM code_networks
     WHERE environment_id = $1 AND destination_hash = ANY(ARRAY(SELECT unnest($2::bytea[]))) AND network_hash = $3
       AND (failures > 0 OR waits_until IS NOT NULL OR signed_in_at IS NULL)
     FOR NO KEY UPDATE SKIP LOCKED)
   UPDATE code_networks n SET failures = 0, waits_until = NULL, signed_in_at = coalesce(n.signed_in_at, now()) FROM free
   WHERE n.environment_id = $1 AND n.destination_hash = free.destination_hash AND n.network_hash = $3`,
);
const RELEASE = scopedStatement(
  'codes.release',
  `WITH networks AS (
     UPDATE code_networks SET failures = 0, waits_until = NULL, last_sent_at = NULL, sent_in_hour = 0, sent_in_day = 0
     WHERE environment_id = $1 AND destination_hash = $2)
   UPDATE code_destinations SET failures = 0, waits_until = NULL, sent_in_window = 0
   WHERE environment_id = $1 AND destination_hash = $2`,
);

/** Limits on codes for an address; a cooldown of 0 seconds allows the next code at once. */
export interface SendingLimits {
  /** Between two codes requested from one network. */
  cooldownSeconds: number;
  /** For one network. */
  perHour: number;
  perDay: number;
  /** Per half-hour, for all networks together that the address has not signed in from. */
  perWindow: number;
}

/** HMAC of the requesting network, so that the table identifies nobody. */
export type NetworkHash = Buffer;

export interface NewCode {
  id: string;
  destinationHash: Buffer;
  /** In normal form. */
  address: string;
  codeHmac: Buffer;
  networkHash: NetworkHash;
  ttlSeconds: number;
}

/** A correct code, and the network that it came from. */
export interface UsedCode {
  id: string;
  codeHmac: Buffer;
  networkHash: NetworkHash;
}

/** A code that may be compared with the client's. */
export interface CountedTry {
  address: string;
  codeHmac: Buffer;
}

/** Why a code may not be tried; null if there is none. */
export type RefusedTry = { isExhausted: boolean; waitSeconds: number } | null;

@Injectable()
export class CodesRepository {
  constructor(private readonly database: Database) {}

  /** Stores a code for a new verification. @returns false if the address may not receive one now */
  async create(
    environmentId: EnvironmentId,
    channel: ChannelName,
    code: NewCode,
    limits: SendingLimits,
  ): Promise<boolean> {
    return (await this.database.rows(STATEMENTS[channel].create, valuesOf(environmentId, code, limits))).length === 1;
  }

  /** Replaces the code. @returns false if there is no such verification, or no code may be sent now */
  async replace(
    environmentId: EnvironmentId,
    channel: ChannelName,
    code: NewCode,
    limits: SendingLimits,
  ): Promise<boolean> {
    return (await this.database.rows(STATEMENTS[channel].replace, valuesOf(environmentId, code, limits))).length === 1;
  }

  /** Seconds until a refused network may request a code again; 0 if it may now. */
  async sendingWait(
    environmentId: EnvironmentId,
    { destinationHash, networkHash }: NewCode,
    { cooldownSeconds, perHour, perDay, perWindow }: SendingLimits,
  ): Promise<number> {
    const values = [environmentId, destinationHash, networkHash, cooldownSeconds, perHour, perDay, perWindow];
    return (await this.database.rows<{ wait: number | null }>(SENDING_WAIT, values))[0]?.wait ?? 0;
  }

  async isOpen(environmentId: EnvironmentId, channel: ChannelName, id: string, address: string): Promise<boolean> {
    return (await this.database.rows(STATEMENTS[channel].isOpen, [environmentId, id, address])).length === 1;
  }

  /**
   * Counts an attempt for the code, the network and the address, in a separate statement, so that the count stands even
   * if the sign-in fails. Null, with nothing counted, if no attempt is allowed.
   */
  async attempt(
    environmentId: EnvironmentId,
    channel: ChannelName,
    id: string,
    networkHash: NetworkHash,
  ): Promise<CountedTry | null> {
    return (
      (await this.database.rows<CountedTry>(STATEMENTS[channel].attempt, [environmentId, id, networkHash]))[0] ?? null
    );
  }

  async refusedTry(
    environmentId: EnvironmentId,
    channel: ChannelName,
    id: string,
    networkHash: NetworkHash,
  ): Promise<RefusedTry> {
    const statement = STATEMENTS[channel].refusedTry;
    const [row] = await this.database.rows<{ isExhausted: boolean; wait: number | null }>(statement, [
      environmentId,
      id,
      networkHash,
    ]);
    return row ? { isExhausted: row.isExhausted, waitSeconds: row.wait ?? 0 } : null;
  }

  /** Undoes the count of an attempt with the correct code, which was not used. A wait can only have come from it. */
  async takeBack(environmentId: EnvironmentId, channel: ChannelName, code: UsedCode): Promise<void> {
    await this.database.execute(STATEMENTS[channel].takeBack, [
      environmentId,
      code.id,
      code.codeHmac,
      code.networkHash,
    ]);
  }

  /** Uses up a code and resets the failures of the network. @returns true for one caller only */
  async consume(environmentId: EnvironmentId, channel: ChannelName, code: UsedCode, tx: Transaction): Promise<boolean> {
    const values = [environmentId, code.id, code.codeHmac, code.networkHash];
    return (await tx.rows(STATEMENTS[channel].consume, values)).length === 1;
  }

  /** Called when the owner of these addresses signs in from this network by other means. Not awaited. */
  forgive(
    environmentId: EnvironmentId,
    destinationHashes: readonly Buffer[],
    networkHash: NetworkHash,
    tx: Transaction,
  ): void {
    tx.send(FORGIVE, [environmentId, destinationHashes, networkHash]);
  }

  /** Ends every wait of an address. @returns false if nobody has requested a code for it lately */
  async release(environmentId: EnvironmentId, destinationHash: Buffer): Promise<boolean> {
    return (await this.database.execute(RELEASE, [environmentId, destinationHash])) > 0;
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
  code.networkHash,
  limits.perWindow,
];
