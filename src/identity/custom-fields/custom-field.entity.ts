import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';
import type { ValidationRules } from './missing-field.dto.js';
import type { CustomFieldType } from './custom-field.dto.js';

export const CUSTOM_FIELD_KEY = 'custom_fields_key';
export const CUSTOM_FIELD_NAME = 'custom_fields_name';

/** A custom field of an environment. Its values are in the users' metadata, under the key. */
@Entity('custom_fields')
@Index(CUSTOM_FIELD_KEY, ['environmentId', 'key'], { unique: true })
@Index(CUSTOM_FIELD_NAME, ['environmentId', 'name'], { unique: true })
@ForeignKey('Environment', ['environmentId'], ['id'], { name: 'custom_fields_environment', onDelete: 'CASCADE' })
export class CustomFieldRow extends EnvironmentEntity {
  @Column({ type: 'text' })
  key!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'boolean' })
  enabled!: boolean;

  @Column({ type: 'boolean' })
  required!: boolean;

  @Column({ type: 'text' })
  fieldType!: CustomFieldType;

  /** The uniqueness rule of `validationRules`, for SQL. */
  @Column({ type: 'boolean' })
  isUnique!: boolean;

  @Column({ type: 'jsonb', nullable: true })
  validationRules!: ValidationRules | null;

  @Column({ type: 'integer' })
  position!: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
