import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { MissingField } from './missing-field.dto.js';

/** What an environment asks of its users, kept by triggers on its settings and custom fields. */
@Entity('asked_fields')
@ForeignKey('Environment', ['environmentId'], ['id'], { name: 'asked_fields_environment', onDelete: 'CASCADE' })
export class AskedFieldsRow {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  /** Null when it asks for nothing. */
  @Column({ type: 'jsonb', nullable: true })
  fields!: MissingField[] | null;
}
