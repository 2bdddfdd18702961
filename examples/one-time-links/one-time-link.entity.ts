import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../src/database/index.js';

/** A link that was made and not used yet. */
@Entity('one_time_links')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'one_time_links_environment', onDelete: 'CASCADE' })
@Index('one_time_links_secret', ['environmentId', 'secretHash'], { unique: true })
@Index('one_time_links_expired', ['expiresAt'])
export class OneTimeLinkRow extends EnvironmentEntity {
  @Column({ type: 'bytea' })
  secretHash!: Buffer;

  /** The id by which the team knows whom the link is for. */
  @Column({ type: 'text' })
  person!: string;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
