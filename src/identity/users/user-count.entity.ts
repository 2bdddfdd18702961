import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/**
 * The number of users in an environment, in slots that triggers on `users` keep exact; the sum is the total. Several
 * slots keep concurrent inserts from queuing for one row.
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
