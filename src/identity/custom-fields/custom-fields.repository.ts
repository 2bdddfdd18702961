import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import { CustomFieldRow } from './custom-field.entity.js';
import { hashOf, isGiven } from './value-registry.js';

export const MAX_CUSTOM_FIELDS = 100;

export type NewCustomField = Omit<CustomFieldRow, 'environmentId' | 'createdAt' | 'updatedAt'>;

/**
 * Registers users' values that the field does not know yet: those older than the field, and those of users created by
 * servers, which were not checked for uniqueness. Users being deleted are left out.
 */
const REGISTER = scopedStatement(
  'customFields.register',
  `INSERT INTO custom_field_values (environment_id, field_id, user_id, value_hash, is_unique)
   SELECT $1, $2, u.id, ${hashOf('u.metadata', '$3::text')}, $4 FROM users u
   WHERE u.environment_id = $1 AND ${isGiven('u.metadata', '$3::text')} FOR KEY SHARE
   ON CONFLICT (environment_id, field_id, user_id) DO NOTHING`,
);
/** Stronger than an update's lock: it also waits for users whose values of the field are being written. */
const HOLD = scopedStatement(
  'customFields.hold',
  'SELECT id FROM custom_fields WHERE environment_id = $1 AND id = $2 FOR UPDATE',
);
const SWITCH = scopedStatement(
  'customFields.switchUnique',
  'UPDATE custom_field_values SET is_unique = $3 WHERE environment_id = $1 AND field_id = $2 AND is_unique <> $3',
);
const LIST_TAKEN = scopedStatement(
  'customFields.listTaken',
  `SELECT f.key FROM custom_fields f
   JOIN custom_field_values v ON v.environment_id = $1 AND v.field_id = f.id AND v.is_unique AND v.user_id <> $2
     AND v.value_hash = ${hashOf('$3::jsonb', 'f.key')}
   WHERE f.environment_id = $1 AND ${isGiven('$3::jsonb', 'f.key')}`,
);
const LIST_SHARED = scopedStatement(
  'customFields.listShared',
  `SELECT DISTINCT s.key FROM (
     SELECT k.key FROM users u JOIN unnest($2::text[]) AS k (key) ON ${isGiven('u.metadata', 'k.key')}
     WHERE u.environment_id = $1 GROUP BY k.key, ${hashOf('u.metadata', 'k.key')} HAVING count(*) > 1) s`,
);
/** No field is named after another's id, so this frees all names to be reassigned. */
const SET_NAMES_ASIDE = scopedStatement(
  'customFields.setNamesAside',
  'UPDATE custom_fields SET name = id::text WHERE environment_id = $1 AND id = ANY($2::uuid[])',
);

@Injectable()
export class CustomFieldsRepository extends ScopedRepository<CustomFieldRow> {
  constructor(database: Database) {
    super(database, CustomFieldRow);
  }

  /** In display order. */
  async listAll(environmentId: EnvironmentId): Promise<CustomFieldRow[]> {
    const fields = await this.list(environmentId, {}, { orderBy: 'id', limit: MAX_CUSTOM_FIELDS });
    return fields.sort((a, b) => a.position - b.position);
  }

  /**
   * Null if the environment has reached its limit. Concurrent creations queue, so that none exceeds it.
   * @throws a unique violation if the name or key is taken, or if it is unique and users share a value
   */
  async insertWithinLimit(
    environmentId: EnvironmentId,
    field: NewCustomField,
    tx: Transaction,
  ): Promise<CustomFieldRow | null> {
    const row = await this.insertIfRoom(MAX_CUSTOM_FIELDS, environmentId, field, tx, 'throw');
    if (row) await tx.execute(REGISTER, [environmentId, field.id, field.key, field.isUnique]);
    return row;
  }

  /**
   * The field, locked against changes of itself and of users' values for it. Whoever changes another waits: it may be
   * about to get this one's name.
   */
  async hold(environmentId: EnvironmentId, id: string, tx: Transaction): Promise<CustomFieldRow | null> {
    await this.lockTenant(environmentId, tx);
    const [held] = await tx.rows(HOLD, [environmentId, id]);
    return held ? this.find(environmentId, { id }, tx) : null;
  }

  /** All fields, locked against changes until the transaction ends; none can be added meanwhile. */
  lockAll(environmentId: EnvironmentId, tx: Transaction): Promise<CustomFieldRow[]> {
    return this.lockEvery(environmentId, 'id', tx);
  }

  /** @throws a unique violation if users share a value */
  async switchUnique(
    environmentId: EnvironmentId,
    { id, key }: Pick<CustomFieldRow, 'id' | 'key'>,
    isUnique: boolean,
    tx: Transaction,
  ): Promise<void> {
    if (isUnique) await tx.execute(REGISTER, [environmentId, id, key, isUnique]);
    await tx.execute(SWITCH, [environmentId, id, isUnique]);
  }

  /** The keys of fields for which somebody else has this value, which is unique. */
  async listTaken(
    environmentId: EnvironmentId,
    userId: string,
    metadata: Record<string, unknown>,
    tx: Transaction,
  ): Promise<string[]> {
    const values = [environmentId, userId, JSON.stringify(metadata)];
    return (await tx.rows<{ key: string }>(LIST_TAKEN, values)).map(({ key }) => key);
  }

  /** Of these keys, those for which two users have the same value. */
  async listShared(environmentId: EnvironmentId, keys: readonly string[], tx: Transaction): Promise<string[]> {
    if (keys.length === 0) return [];
    return (await tx.rows<{ key: string }>(LIST_SHARED, [environmentId, keys])).map(({ key }) => key);
  }

  /** Frees the names of fields about to be renamed, which may swap names. */
  async setNamesAside(environmentId: EnvironmentId, ids: readonly string[], tx: Transaction): Promise<void> {
    if (ids.length > 0) await tx.execute(SET_NAMES_ASIDE, [environmentId, ids]);
  }
}
