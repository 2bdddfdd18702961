import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A merge offered to a session, whose user has just proven a credential of the other user. */
@Entity('pending_merges')
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'pending_merges_user',
  onDelete: 'CASCADE',
})
@ForeignKey('users', ['environmentId', 'otherUserId'], ['environmentId', 'id'], {
  name: 'pending_merges_other',
  onDelete: 'CASCADE',
})
@Index('pending_merges_of_user', ['environmentId', 'userId'])
@Index('pending_merges_of_other', ['environmentId', 'otherUserId'])
@Index('pending_merges_expired', ['expiresAt'])
export class PendingMerge {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'uuid' })
  sessionId!: string;

  @Column({ type: 'uuid' })
  userId!: string;

  @Column({ type: 'uuid' })
  otherUserId!: string;

  /** The claim of the proven credential; null if an instance of the previous version made the offer. */
  @Column({ type: 'text', nullable: true })
  kind!: string | null;

  @Column({ type: 'text', nullable: true })
  identifier!: string | null;

  /** Authentication methods of the other user's proof, to check again at the merge whether that user may be merged. */
  @Column({ type: 'text', array: true, default: '{}' })
  amr!: string[];

  /** The directory of the provider that proved the other user; null for any other proof. */
  @Column({ type: 'uuid', nullable: true })
  directory!: string | null;

  /** Five minutes after the proof. */
  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
