import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A secret of an environment, sealed for its row. */
@Entity('environment_secrets')
@ForeignKey('Environment', ['environmentId'], ['id'], { name: 'environment_secrets_environment', onDelete: 'CASCADE' })
export class EnvironmentSecret {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  /** What it is: the dotted name of a setting, for instance. */
  @PrimaryColumn({ type: 'text' })
  name!: string;

  @Column({ type: 'bytea' })
  sealedValue!: Buffer;

  /** The key of the vault it is under. */
  @Column({ type: 'text' })
  masterKeyId!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
