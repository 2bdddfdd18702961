import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** An erased or deleted person, by ids only, until events about them are scrubbed as well. */
@Entity('erasures')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'erasures_environment', onDelete: 'CASCADE' })
@Index('erasures_open', ['dueAt'], { where: 'scrubbed_at IS NULL' })
@Index('erasures_old', ['scrubbedAt'])
export class Erasure extends EnvironmentEntity {
  /** The user and those merged into it. */
  @Column({ type: 'uuid', array: true })
  userIds!: string[];

  /** The lowest id of the visits deleted with them; null in rows of the previous version, which did not record it. */
  @Column({ type: 'uuid', nullable: true })
  firstVisitorId!: string | null;

  /** When the scrubbing is due: until then receivers can collect pending events. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  dueAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  scrubbedAt!: Date | null;
}
