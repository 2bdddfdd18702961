import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** The account that signs in with a fixed code. The code is stored as a secret of the environment. */
@Entity('test_accounts')
@ForeignKey('Environment', ['environmentId'], ['id'], { name: 'test_accounts_environment', onDelete: 'CASCADE' })
export class TestAccountRow {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @Column({ type: 'text' })
  email!: string;

  /** E.164. */
  @Column({ type: 'text' })
  phone!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}
