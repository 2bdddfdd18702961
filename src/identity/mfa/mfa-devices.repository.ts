import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import { MfaDeviceRow } from './mfa-device.entity.js';
import { COUNT_TRY, FORGIVE, MAX_DEVICES, MAY_TRY, TAKE_BACK } from './mfa-limits.js';

const LOCK_USER = scopedStatement(
  'mfaDevices.lockUser',
  'SELECT id FROM users WHERE environment_id = $1 AND id = $2 FOR UPDATE',
);
/** Replaces an unfinished enrolment. */
const BEGIN = scopedStatement(
  'mfaDevices.begin',
  `INSERT INTO mfa_devices (environment_id, id, user_id, type, sealed_secret, master_key_id)
   VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (environment_id, user_id) WHERE verified_at IS NULL DO UPDATE
     SET id = excluded.id, type = excluded.type, sealed_secret = excluded.sealed_secret, master_key_id = excluded.master_key_id,
       created_at = now()`,
);
const VERIFY = scopedStatement(
  'mfaDevices.verify',
  `UPDATE mfa_devices d SET verified_at = now(), last_step = $4, is_default = NOT EXISTS (
     SELECT 1 FROM mfa_devices o WHERE o.environment_id = $1 AND o.user_id = $3 AND o.is_default)
   WHERE d.environment_id = $1 AND d.id = $2 AND d.user_id = $3 AND d.verified_at IS NULL
   RETURNING d.id, d.type, d.created_at AS "createdAt", d.verified_at AS "verifiedAt", d.is_default AS "isDefault"`,
);
/** Counts the attempt before anything is compared, and returns nothing after too many. */
const ATTEMPT = scopedStatement(
  'mfaDevices.attempt',
  `UPDATE mfa_devices SET ${COUNT_TRY}
   WHERE environment_id = $1 AND id = $2 AND user_id = $3 AND type = 'totp' AND verified_at IS NOT NULL
     AND ${MAY_TRY}
   RETURNING id, user_id AS "userId", environment_id AS "environmentId", sealed_secret AS "sealedSecret",
     last_step AS "lastStep", verified_at AS "verifiedAt"`,
);
/** A step is used once, and a correct code clears earlier failures. */
const USE_STEP = scopedStatement(
  'mfaDevices.consumeStep',
  `UPDATE mfa_devices SET last_step = $4, ${FORGIVE}
   WHERE environment_id = $1 AND id = $2 AND user_id = $3 AND verified_at IS NOT NULL AND last_step < $4`,
);
/** Not for a step that another call has used: its code is no longer correct. */
const TAKE_BACK_TRY = scopedStatement(
  'mfaDevices.takeBack',
  `UPDATE mfa_devices SET ${TAKE_BACK} WHERE environment_id = $1 AND id = $2 AND user_id = $3 AND last_step < $4`,
);
const END_WAITS = scopedStatement(
  'mfaDevices.endWaits',
  `WITH waiting AS (
     SELECT id FROM mfa_devices WHERE environment_id = $1 AND user_id = $2 AND failures_in_row > 0 ORDER BY id FOR UPDATE)
   UPDATE mfa_devices SET ${FORGIVE} WHERE environment_id = $1 AND id IN (SELECT id FROM waiting)`,
);
const WAIT = scopedStatement(
  'mfaDevices.readWait',
  'SELECT extract(epoch FROM blocked_until - now())::float AS wait FROM mfa_devices WHERE environment_id = $1 AND id = $2',
);
const SET_DEFAULT = scopedStatement(
  'mfaDevices.setDefault',
  `UPDATE mfa_devices SET is_default = (id = $2)
   WHERE environment_id = $1 AND user_id = $3 AND verified_at IS NOT NULL AND is_default <> (id = $2)`,
);

export type NewDevice = Pick<MfaDeviceRow, 'id' | 'userId' | 'type' | 'sealedSecret' | 'masterKeyId'>;
export type TriedDevice = Pick<MfaDeviceRow, 'id' | 'userId' | 'environmentId' | 'lastStep' | 'verifiedAt'> & {
  sealedSecret: Buffer;
};
export type ShownDevice = Pick<MfaDeviceRow, 'id' | 'type' | 'createdAt' | 'verifiedAt' | 'isDefault'>;

@Injectable()
export class MfaDevicesRepository extends ScopedRepository<MfaDeviceRow> {
  constructor(database: Database) {
    super(database, MfaDeviceRow);
  }

  /** Changes to one user's devices queue here. */
  async lockUser(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<boolean> {
    return (await tx.rows(LOCK_USER, [environmentId, userId])).length === 1;
  }

  /** The verified devices and the one being enrolled. */
  listOf(environmentId: EnvironmentId, userId: string, on?: Transaction): Promise<MfaDeviceRow[]> {
    return this.list(environmentId, { userId }, { limit: MAX_DEVICES + 1 }, on);
  }

  async begin(environmentId: EnvironmentId, device: NewDevice, tx: Transaction): Promise<void> {
    const { id, userId, type, sealedSecret, masterKeyId } = device;
    await tx.execute(BEGIN, [environmentId, id, userId, type, sealedSecret, masterKeyId]);
  }

  /** @returns null for all concurrent callers but one */
  async verify(
    environmentId: EnvironmentId,
    { id, userId }: Pick<MfaDeviceRow, 'id' | 'userId'>,
    step: number,
    tx: Transaction,
  ): Promise<ShownDevice | null> {
    return (await tx.rows<ShownDevice>(VERIFY, [environmentId, id, userId, step]))[0] ?? null;
  }

  /** A separate statement, so that the count stands whatever follows. @returns null after too many attempts */
  async attempt(environmentId: EnvironmentId, id: string, userId: string): Promise<TriedDevice | null> {
    return (await this.database.rows<TriedDevice>(ATTEMPT, [environmentId, id, userId]))[0] ?? null;
  }

  /** Seconds until a refused device may be tried; 0 if it may now. */
  async waitSeconds(environmentId: EnvironmentId, id: string): Promise<number> {
    return (await this.database.rows<{ wait: number | null }>(WAIT, [environmentId, id]))[0]?.wait ?? 0;
  }

  /** For a user who has authenticated with another factor, or whom an operator knows. @returns how many waited */
  endWaits(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<number> {
    return tx.execute(END_WAITS, [environmentId, userId]);
  }

  /** @returns true for one caller only */
  async useStep(
    environmentId: EnvironmentId,
    { id, userId }: Pick<MfaDeviceRow, 'id' | 'userId'>,
    step: number,
    tx: Transaction,
  ): Promise<boolean> {
    return (await tx.execute(USE_STEP, [environmentId, id, userId, step])) === 1;
  }

  /** Undoes the count of an attempt with the code of this step, which was not used. */
  async takeBack(
    environmentId: EnvironmentId,
    { id, userId }: Pick<MfaDeviceRow, 'id' | 'userId'>,
    step: number,
  ): Promise<void> {
    await this.database.execute(TAKE_BACK_TRY, [environmentId, id, userId, step]);
  }

  async setDefault(environmentId: EnvironmentId, id: string, userId: string, tx: Transaction): Promise<void> {
    await tx.execute(SET_DEFAULT, [environmentId, id, userId]);
  }
}
