import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** A person who was erased or deleted, by ids alone, until what was told of them is gone as well. */
@Entity('erasures')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'erasures_environment', onDelete: 'CASCADE' })
@Index('erasures_open', ['dueAt'], { where: 'scrubbed_at IS NULL' })
@Index('erasures_old', ['scrubbedAt'])
export class Erasure extends EnvironmentEntity {
  /** The user, and those who became part of it. */
  @Column({ type: 'uuid', array: true })
  userIds!: string[];

  /** The least id of the visits that went with them; null in rows of the version before, which says nothing. */
  @Column({ type: 'uuid', nullable: true })
  firstVisitorId!: string | null;

  /** When it goes: receivers of events have until then to take what is on its way. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  dueAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  scrubbedAt!: Date | null;
}
