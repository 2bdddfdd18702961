import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A value that a change replaced; of a secret, and of what was not there, only the name is kept. */
export interface ReplacedField {
  field: string;
  before?: unknown;
}

/** What one change of the settings replaced: enough to know later what a client had read. */
@Entity('environment_settings_versions')
@ForeignKey('Environment', ['environmentId'], ['id'], {
  name: 'environment_settings_versions_environment',
  onDelete: 'CASCADE',
})
export class SettingsVersion {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  /** The version that the change made. */
  @PrimaryColumn({ type: 'integer' })
  version!: number;

  @Column({ type: 'jsonb' })
  replaced!: ReplacedField[];

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}
