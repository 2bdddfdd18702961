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
 * The values that users have and the field does not know: those from before it, and those with which servers have made
 * users, which were compared with nobody's. Whoever is being deleted has none.
 */
const REGISTER = scopedStatement(
  'customFields.register',
  `INSERT INTO custom_field_values (environment_id, field_id, user_id, value_hash, is_unique)
   SELECT $1, $2, u.id, ${hashOf('u.metadata', '$3::text')}, $4 FROM users u
   WHERE u.environment_id = $1 AND ${isGiven('u.metadata', '$3::text')} FOR KEY SHARE
   ON CONFLICT (environment_id, field_id, user_id) DO NOTHING`,
);
/** Stronger than the lock of an update: it also waits for users whose values of the field are being written. */
const HOLD = scopedStatement(
  'customFields.hold',
  'SELECT id FROM custom_fields WHERE environment_id = $1 AND id = $2 FOR UPDATE',
);
const SWITCH = scopedStatement(
  'customFields.switchUnique',
  'UPDATE custom_field_values SET is_unique = $3 WHERE environment_id = $1 AND field_id = $2 AND is_unique <> $3',
);
/** No field is called like the id of another, so that all names are free for whoever takes them. */
const SET_NAMES_ASIDE = scopedStatement(
  'customFields.setNamesAside',
  'UPDATE custom_fields SET name = id::text WHERE environment_id = $1 AND id = ANY($2::uuid[])',
);

@Injectable()
export class CustomFieldsRepository extends ScopedRepository<CustomFieldRow> {
  constructor(database: Database) {
    super(database, CustomFieldRow);
  }

  /** In the order in which they are asked for. */
  async listAll(environmentId: EnvironmentId): Promise<CustomFieldRow[]> {
    const fields = await this.list(environmentId, {}, { orderBy: 'id', limit: MAX_CUSTOM_FIELDS });
    return fields.sort((a, b) => a.position - b.position);
  }

  /**
   * Null when the environment has as many as it may have. Creations of one environment queue, so that none slips past.
   * @throws a unique violation when the name or the key is taken, or when it is to be unique and users share a value
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

  /** The field, held against changes of itself and of the values that users have for it. */
  async hold(environmentId: EnvironmentId, id: string, tx: Transaction): Promise<CustomFieldRow | null> {
    const [held] = await tx.rows(HOLD, [environmentId, id]);
    return held ? this.find(environmentId, { id }, tx) : null;
  }

  /** All fields, held against changes of themselves until the transaction ends; none is added meanwhile. */
  lockAll(environmentId: EnvironmentId, tx: Transaction): Promise<CustomFieldRow[]> {
    return this.lockEvery(environmentId, 'id', tx);
  }

  /** @throws a unique violation when users share a value */
  async switchUnique(
    environmentId: EnvironmentId,
    { id, key }: Pick<CustomFieldRow, 'id' | 'key'>,
    isUnique: boolean,
    tx: Transaction,
  ): Promise<void> {
    if (isUnique) await tx.execute(REGISTER, [environmentId, id, key, isUnique]);
    await tx.execute(SWITCH, [environmentId, id, isUnique]);
  }

  /** Frees the names of fields that are about to be given others, whose names they may take from each other. */
  async setNamesAside(environmentId: EnvironmentId, ids: readonly string[], tx: Transaction): Promise<void> {
    if (ids.length > 0) await tx.execute(SET_NAMES_ASIDE, [environmentId, ids]);
  }
}
