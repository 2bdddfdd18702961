import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/**
 * The owner of an identifier. The primary key settles every race for a new one. The row is written before its user, so
 * that the loser of a race has created nothing; hence the deferred constraint.
 */
@Entity('identifier_claims')
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'identifier_claims_user',
  onDelete: 'CASCADE',
  deferrable: 'INITIALLY DEFERRED',
})
@Index('identifier_claims_of_user', ['environmentId', 'userId'])
export class IdentifierClaim {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'text' })
  kind!: string;

  /** Normalised by `identifiers.ts`, so that equal text means the same identifier. */
  @PrimaryColumn({ type: 'text' })
  identifier!: string;

  @Column({ type: 'uuid' })
  userId!: string;

  /** When the user first proved it; null while only an API token has asserted it. */
  @Column({ type: 'timestamptz', nullable: true })
  provenAt!: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}
