import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { ProjectSettings } from './settings/settings.types.js';

/** The settings of one environment as one document; what other records hold is not in it. */
@Entity('environment_settings')
@ForeignKey('Environment', ['environmentId'], ['id'], { name: 'environment_settings_environment', onDelete: 'CASCADE' })
export class EnvironmentSettings {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @Column({ type: 'jsonb' })
  settings!: ProjectSettings;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
