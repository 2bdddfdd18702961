import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** An environment secret, sealed for its row. */
@Entity('environment_secrets')
@ForeignKey('Environment', ['environmentId'], ['id'], { name: 'environment_secrets_environment', onDelete: 'CASCADE' })
export class EnvironmentSecret {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  /** The secret's name, e.g. the dotted name of a setting. */
  @PrimaryColumn({ type: 'text' })
  name!: string;

  @Column({ type: 'bytea' })
  sealedValue!: Buffer;

  /** The vault key it is sealed under. */
  @Column({ type: 'text' })
  masterKeyId!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
