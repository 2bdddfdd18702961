import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CustomFieldRow } from './custom-field.entity.js';

export const CUSTOM_FIELD_VALUE_UNIQUE = 'custom_field_values_unique';

/**
 * A user's value of a custom field, as a hash. Stored for every field, so that one can become unique later; the index
 * decides between users who enter the same value concurrently.
 */
@Entity('custom_field_values')
@Index(CUSTOM_FIELD_VALUE_UNIQUE, ['environmentId', 'fieldId', 'valueHash'], { unique: true, where: 'is_unique' })
@Index('custom_field_values_of_user', ['environmentId', 'userId'])
@ForeignKey(() => CustomFieldRow, ['environmentId', 'fieldId'], ['environmentId', 'id'], {
  name: 'custom_field_values_field',
  onDelete: 'CASCADE',
})
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'custom_field_values_user',
  onDelete: 'CASCADE',
})
export class CustomFieldValueRow {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'uuid' })
  fieldId!: string;

  @PrimaryColumn({ type: 'uuid' })
  userId!: string;

  /** SHA-256 of the value as JSON. */
  @Column({ type: 'bytea' })
  valueHash!: Buffer;

  /** Copied from the field. */
  @Column({ type: 'boolean' })
  isUnique!: boolean;
}
