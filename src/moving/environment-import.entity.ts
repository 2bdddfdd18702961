import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** The progress of an environment's import, from which an interrupted one resumes. */
@Entity('environment_imports')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'environment_imports_environment', onDelete: 'CASCADE' })
export class EnvironmentImportRow {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  /** The archive's digest, in hexadecimal. */
  @Column({ type: 'text' })
  digest!: string;

  /** The number of members written. */
  @Column({ type: 'integer' })
  done!: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  finishedAt!: Date | null;
}
