import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The last row of an environment's ledger. A writer holds it until its transaction ends. Not a foreign key: the ledger
 * outlives the environment.
 */
@Entity('key_ledger_heads')
export class KeyLedgerHead {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @Column({ type: 'bigint' })
  sequence!: string;

  @Column({ type: 'bytea' })
  previousHash!: Buffer;

  @Column({ type: 'bytea' })
  hash!: Buffer;
}
