import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** How far the import of an environment has come: what an interrupted one goes on from. */
@Entity('environment_imports')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'environment_imports_environment', onDelete: 'CASCADE' })
export class EnvironmentImportRow {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  /** Of the archive, in hexadecimal. */
  @Column({ type: 'text' })
  digest!: string;

  /** How many of its members are written. */
  @Column({ type: 'integer' })
  done!: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  finishedAt!: Date | null;
}
