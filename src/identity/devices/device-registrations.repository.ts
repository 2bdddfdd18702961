import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Executor,
  type Transaction,
} from '../../database/index.js';
import { DeviceRegistrationRow } from './device-registration.entity.js';

/** Maximum per user; one more removes the oldest. */
export const MAX_DEVICES = 20;

const IS_KNOWN = scopedStatement(
  'deviceRegistrations.findKnown',
  'SELECT 1 FROM device_registrations WHERE environment_id = $1 AND user_id = $2 AND device_hash = $3',
);
/** Removes the oldest to make room. */
const ADD = scopedStatement(
  'deviceRegistrations.add',
  `WITH gone AS (
     DELETE FROM device_registrations WHERE environment_id = $1 AND id IN (
       SELECT id FROM device_registrations WHERE environment_id = $1 AND user_id = $3 AND device_hash <> $4
       ORDER BY created_at DESC, id DESC OFFSET ${MAX_DEVICES - 1}))
   INSERT INTO device_registrations (environment_id, id, user_id, device_hash, user_agent) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT DO NOTHING`,
);
/** In id order, so that concurrent calls that remove all of them do not deadlock. */
const FORGET = scopedStatement(
  'deviceRegistrations.remove',
  `WITH theirs AS (
     SELECT id FROM device_registrations
     WHERE environment_id = $1 AND user_id = $2 AND ($3::uuid IS NULL OR id = $3) ORDER BY id FOR UPDATE)
   DELETE FROM device_registrations WHERE environment_id = $1 AND id IN (SELECT id FROM theirs)
   RETURNING id, user_id AS "userId", device_hash AS "deviceHash", user_agent AS "userAgent"`,
);

export type NewDevice = Pick<DeviceRegistrationRow, 'id' | 'userId' | 'deviceHash' | 'userAgent'>;

@Injectable()
export class DeviceRegistrationsRepository extends ScopedRepository<DeviceRegistrationRow> {
  constructor(database: Database) {
    super(database, DeviceRegistrationRow);
  }

  listOfUser(environmentId: EnvironmentId, userId: string): Promise<DeviceRegistrationRow[]> {
    return this.list(environmentId, { userId }, { limit: MAX_DEVICES });
  }

  async isKnown(environmentId: EnvironmentId, userId: string, deviceHash: Buffer, on: Executor): Promise<boolean> {
    return (await on.rows(IS_KNOWN, [environmentId, userId, deviceHash])).length > 0;
  }

  /** False if the device is already known. */
  async add(environmentId: EnvironmentId, device: NewDevice, on: Executor): Promise<boolean> {
    const { id, userId, deviceHash, userAgent } = device;
    return (await on.execute(ADD, [environmentId, id, userId, deviceHash, userAgent])) === 1;
  }

  /** The removed devices. @param id null for all of the user */
  forget(environmentId: EnvironmentId, userId: string, id: string | null, tx: Transaction): Promise<NewDevice[]> {
    return tx.rows<NewDevice>(FORGET, [environmentId, userId, id]);
  }
}
