import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../src/database/index.js';

/** An unused link. */
@Entity('one_time_links')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'one_time_links_environment', onDelete: 'CASCADE' })
@Index('one_time_links_secret', ['environmentId', 'secretHash'], { unique: true })
@Index('one_time_links_expired', ['expiresAt'])
export class OneTimeLinkRow extends EnvironmentEntity {
  @Column({ type: 'bytea' })
  secretHash!: Buffer;

  /** The team's own id for the person the link is for. */
  @Column({ type: 'text' })
  person!: string;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
