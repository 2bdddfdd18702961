import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** An elevated token that was good once and has been used. Its key decides between calls at the same moment. */
@Entity('used_elevations')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'used_elevations_environment', onDelete: 'CASCADE' })
@Index('used_elevations_expired', ['expiresAt'])
export class UsedElevation {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'uuid' })
  tokenId!: string;

  /** When the token would not be taken any more anyway. */
  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
