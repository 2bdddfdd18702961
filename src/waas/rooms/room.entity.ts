import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';
import type { ShareScheme } from '../../custody/index.js';
import type { CeremonyKind, RoomSubject } from './room-subjects.js';

/** `threshold`: the participants who sign meet; `full`: all participants do. */
export type RoomType = 'threshold' | 'full';
export type RoomState = 'open' | 'running' | 'done' | 'aborted';

/** One ceremony between a user and the service, or a room reserved for one. Single-use. */
@Entity('ceremony_rooms')
@Index('ceremony_rooms_of_user', ['environmentId', 'userId', 'expiresAt'])
@Index('ceremony_rooms_expired', ['expiresAt'])
@Index('ceremony_rooms_unanswered', ['expiresAt'], {
  where: `state = 'running' AND subject @> '{"released": true}'`,
})
@Index('ceremony_rooms_by_master_key', ['masterKeyId', 'environmentId', 'id'])
@Check('ceremony_rooms_type', "type IN ('threshold', 'full')")
@Check('ceremony_rooms_kind', "kind IN ('keygen', 'sign', 'refresh', 'reshare')")
@Check('ceremony_rooms_state', "state IN ('open', 'running', 'done', 'aborted')")
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'ceremony_rooms_user',
  onDelete: 'CASCADE',
})
export class CeremonyRoom extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  userId!: string;

  /** The session that opened it; no other may take part. */
  @Column({ type: 'uuid' })
  sessionId!: string;

  @Column({ type: 'text' })
  type!: RoomType;

  @Column({ type: 'text', nullable: true })
  scheme!: ShareScheme | null;

  /** The wallet it concerns, or will create. */
  @Column({ type: 'uuid', nullable: true })
  walletId!: string | null;

  /** Null until a ceremony begins in it. */
  @Column({ type: 'text', nullable: true })
  kind!: CeremonyKind | null;

  @Column({ type: 'text' })
  state!: RoomState;

  /** Number of client messages accepted. */
  @Column({ type: 'integer', default: 0 })
  round!: number;

  /** The subject of the ceremony. No secrets. */
  @Column({ type: 'jsonb', nullable: true })
  subject!: RoomSubject | null;

  /** Digest of what is signed in it. */
  @Column({ type: 'bytea', nullable: true })
  digest!: Buffer | null;

  /** What the service needs for its next message, in an envelope: nonces, or polynomial coefficients. */
  @Column({ type: 'bytea', nullable: true })
  sealedState!: Buffer | null;

  /** The master key that the envelope's data key is wrapped under. */
  @Column({ type: 'text', nullable: true })
  masterKeyId!: string | null;

  /** Why it was aborted. */
  @Column({ type: 'text', nullable: true })
  failure!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  endedAt!: Date | null;

  /** When an operator stopped counting it against its user. */
  @Column({ type: 'timestamptz', nullable: true })
  forgivenAt!: Date | null;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
