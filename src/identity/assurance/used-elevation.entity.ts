import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A single-use elevated token that has been used. The primary key decides between concurrent calls. */
@Entity('used_elevations')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'used_elevations_environment', onDelete: 'CASCADE' })
@Index('used_elevations_expired', ['expiresAt'])
export class UsedElevation {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'uuid' })
  tokenId!: string;

  /** By then the token has expired. */
  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
