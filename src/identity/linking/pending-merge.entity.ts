import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A merge that was offered to a session: its user has proven a credential of the other one a moment ago. */
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

  /** What the proof of the other user rests on: whether they may become part of this one is asked again at the merge. */
  @Column({ type: 'text', array: true, default: '{}' })
  amr!: string[];

  /** The people whom the provider speaks of that has proven the other user; null for every other proof. */
  @Column({ type: 'uuid', nullable: true })
  directory!: string | null;

  /** Five minutes after the proof. */
  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
