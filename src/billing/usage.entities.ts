import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** The last month in which a user was active, maintained by triggers on `sessions`, so that each user counts once. */
@Entity('billing_active_users')
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'billing_active_users_user',
  onDelete: 'CASCADE',
})
export class ActiveUserRow {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'uuid' })
  userId!: string;

  @Column({ type: 'date' })
  month!: string;
}

/**
 * Active users of an organization per month: the sum of slots that the same triggers keep exact. Several slots, so that
 * concurrent sign-ins do not queue for one row.
 */
@Entity('billing_usage')
@ForeignKey('organizations', ['organizationId'], ['id'], { name: 'billing_usage_organization', onDelete: 'CASCADE' })
export class UsageRow {
  @PrimaryColumn({ type: 'uuid' })
  organizationId!: string;

  @PrimaryColumn({ type: 'date' })
  month!: string;

  @PrimaryColumn({ type: 'smallint' })
  slot!: number;

  @Column({ type: 'bigint' })
  users!: string;
}
