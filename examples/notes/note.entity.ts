import { Column, Entity, ForeignKey } from 'typeorm';
import { EnvironmentEntity } from '../../src/database/index.js';

/** What a team wants to remember about its environment. */
@Entity('notes')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'notes_environment', onDelete: 'CASCADE' })
export class NoteRow extends EnvironmentEntity {
  @Column({ type: 'text' })
  text!: string;
}
