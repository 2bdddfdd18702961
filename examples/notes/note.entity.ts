import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../src/database/index.js';

/** A team's note on its environment. */
@Entity('notes')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'notes_environment', onDelete: 'CASCADE' })
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], { name: 'notes_user', onDelete: 'CASCADE' })
@Index('notes_text', ['environmentId', 'text'], { unique: true })
@Index('notes_of_user', ['environmentId', 'userId'])
export class NoteRow extends EnvironmentEntity {
  @Column({ type: 'text' })
  text!: string;

  /** The user the note is about. */
  @Column({ type: 'uuid', nullable: true })
  userId!: string | null;
}
