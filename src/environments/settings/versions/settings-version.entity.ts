import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A value replaced by a change; for a secret or a previously absent value, only the name is kept. */
export interface ReplacedField {
  field: string;
  before?: unknown;
}

/** What one change of the settings replaced: enough to reconstruct what a client had read. */
@Entity('environment_settings_versions')
@ForeignKey('Environment', ['environmentId'], ['id'], {
  name: 'environment_settings_versions_environment',
  onDelete: 'CASCADE',
})
export class SettingsVersion {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  /** The version that the change created. */
  @PrimaryColumn({ type: 'integer' })
  version!: number;

  @Column({ type: 'jsonb' })
  replaced!: ReplacedField[];

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}
