import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';
import type { AccessOutcome } from '../outcome.js';

export const ALLOWLIST_NAME = 'allowlists_name';
export const ENTRY_KEY = 'allowlist_entry_keys_pkey';

@Entity('allowlists')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'allowlists_environment', onDelete: 'CASCADE' })
@Index(ALLOWLIST_NAME, ['environmentId', 'name'], { unique: true })
export class AllowlistRow extends EnvironmentEntity {
  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', nullable: true })
  scope!: string | null;

  @Column({ type: 'text' })
  outcome!: AccessOutcome;

  @Column({ type: 'timestamptz', nullable: true })
  enabledAt!: Date | null;

  /** Updated with each entry, to avoid counting a hundred thousand rows. */
  @Column({ type: 'integer', default: 0 })
  entryCount!: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}

@Entity('allowlist_entries')
@ForeignKey('allowlists', ['environmentId', 'allowlistId'], ['environmentId', 'id'], {
  name: 'allowlist_entries_allowlist',
  onDelete: 'CASCADE',
})
@Index('allowlist_entries_of_list', ['environmentId', 'allowlistId', 'id'])
export class AllowlistEntryRow extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  allowlistId!: string;

  /** The given fields, normalised. */
  @Column({ type: 'jsonb' })
  fields!: Record<string, string | number>;
}

/** The lookup keys of entries. The primary key decides between concurrent additions. */
@Entity('allowlist_entry_keys')
@ForeignKey('allowlist_entries', ['environmentId', 'entryId'], ['environmentId', 'id'], {
  name: 'allowlist_entry_keys_entry',
  onDelete: 'CASCADE',
})
@Index('allowlist_entry_keys_of_entry', ['environmentId', 'entryId'])
export class AllowlistEntryKey {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'uuid' })
  allowlistId!: string;

  @PrimaryColumn({ type: 'text', collation: 'C' })
  key!: string;

  @Column({ type: 'uuid' })
  entryId!: string;
}
