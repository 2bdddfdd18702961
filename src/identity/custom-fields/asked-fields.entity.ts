import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { MissingField } from './missing-field.dto.js';

/** The fields an environment requires of its users, maintained by triggers on its settings and custom fields. */
@Entity('asked_fields')
@ForeignKey('Environment', ['environmentId'], ['id'], { name: 'asked_fields_environment', onDelete: 'CASCADE' })
export class AskedFieldsRow {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  /** Null if it requires none. */
  @Column({ type: 'jsonb', nullable: true })
  fields!: MissingField[] | null;
}
