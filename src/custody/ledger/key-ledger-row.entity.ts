import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { KeyLedgerHead } from './key-ledger-head.entity.js';
import type { KeyActor, KeyOperation } from './ledger-entry.js';

/** One use of keys. A trigger refuses updates and deletes; anyone who bypasses it breaks the hash chain. */
@Entity('key_ledger')
@Check('key_ledger_sequence', 'sequence > 0')
@Index('key_ledger_of_user', ['environmentId', 'userId', 'sequence'])
@ForeignKey(() => KeyLedgerHead, ['environmentId'], ['environmentId'], { name: 'key_ledger_head' })
export class KeyLedgerRow {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  /** Counts from 1, without gaps. */
  @PrimaryColumn({ type: 'bigint' })
  sequence!: string;

  @Column({ type: 'uuid' })
  id!: string;

  /** By the database clock, in microseconds, all of which are hashed. */
  @Column({ type: 'timestamptz' })
  occurredAt!: Date;

  @Column({ type: 'text' })
  operation!: KeyOperation;

  @Column({ type: 'jsonb' })
  actor!: KeyActor;

  /** Not a foreign key: the ledger outlives users and their keys. */
  @Column({ type: 'uuid' })
  userId!: string;

  @Column({ type: 'uuid' })
  keysId!: string;

  @Column({ type: 'jsonb' })
  subject!: Record<string, unknown>;

  @Column({ type: 'text' })
  reason!: string;

  @Column({ type: 'bytea', nullable: true })
  digest!: Buffer | null;

  @Column({ type: 'text' })
  verdict!: string;

  @Column({ type: 'bytea' })
  previousHash!: Buffer;

  @Column({ type: 'bytea' })
  hash!: Buffer;
}
