import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AuditHead } from './audit-head.entity.js';
import type { FieldChange } from './field-changes.js';
import type { StoredActor } from './actor.js';

/** One change. A trigger rejects updates and deletes; bypassing it breaks the hash chain. */
@Entity('audit_records')
@Check('audit_records_sequence', 'sequence > 0')
@Index('audit_records_of_environment', ['organizationId', 'environmentId', 'sequence'])
@Index('audit_records_of_action', ['organizationId', 'action', 'sequence'])
@Index('audit_records_of_environment_action', ['organizationId', 'environmentId', 'action', 'sequence'])
@ForeignKey(() => AuditHead, ['organizationId'], ['organizationId'], { name: 'audit_records_head' })
export class AuditRecordRow {
  @PrimaryColumn({ type: 'uuid' })
  organizationId!: string;

  /** Starts at 1, without gaps. */
  @PrimaryColumn({ type: 'bigint' })
  sequence!: string;

  @Column({ type: 'uuid' })
  id!: string;

  /** Database clock, with microseconds, all of which are hashed. */
  @Column({ type: 'timestamptz' })
  occurredAt!: Date;

  @Column({ type: 'jsonb' })
  actor!: StoredActor;

  /** The name of the event. */
  @Column({ type: 'text' })
  action!: string;

  @Column({ type: 'text' })
  resourceType!: string;

  @Column({ type: 'text' })
  resourceId!: string;

  /** Null for changes to the organization itself. */
  @Column({ type: 'uuid', nullable: true })
  environmentId!: string | null;

  @Column({ type: 'jsonb' })
  changes!: FieldChange[];

  /** The hash of the previous record; 32 zero bytes in the first. */
  @Column({ type: 'bytea' })
  previousHash!: Buffer;

  @Column({ type: 'bytea' })
  hash!: Buffer;
}
