import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** A completed merge, with what is needed to undo it within seven days. Deleted with the remaining user. */
@Entity('user_merges')
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'user_merges_user',
  onDelete: 'CASCADE',
})
@Index('user_merges_of_user', ['environmentId', 'userId'])
@Index('user_merges_old', ['createdAt'])
export class UserMerge extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  userId!: string;

  /** Not a foreign key: that user is deleted, and restored if the merge is undone. */
  @Column({ type: 'uuid' })
  fromUserId!: string;

  /** The row of the deleted user. */
  @Column({ type: 'jsonb' })
  fromUser!: Record<string, unknown>;

  /** The row of the remaining user before the merge. */
  @Column({ type: 'jsonb' })
  userBefore!: Record<string, unknown>;

  @Column({ type: 'uuid', array: true })
  credentialIds!: string[];

  /** Kind and identifier of each claim. */
  @Column({ type: 'jsonb' })
  claims!: { kind: string; identifier: string }[];

  /** What other contexts moved, by facet name. */
  @Column({ type: 'jsonb' })
  moved!: Record<string, unknown>;

  @Column({ type: 'timestamptz', nullable: true })
  undoneAt!: Date | null;
}
