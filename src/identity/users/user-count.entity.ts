import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/**
 * How many users an environment has, in slots that triggers on `users` keep exact: the sum is the number. Several slots,
 * so that concurrent inserts do not queue for one row.
 */
@Entity('user_counts')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'user_counts_environment', onDelete: 'CASCADE' })
export class UserCount {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'smallint' })
  slot!: number;

  @Column({ type: 'bigint' })
  users!: string;
}
