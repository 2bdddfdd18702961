import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The last row of the ledger of an environment. Whoever adds a row holds this one until its transaction ends. Not a
 * foreign key: the ledger outlives the environment.
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
