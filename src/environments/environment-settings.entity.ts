import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { ProjectSettings } from './settings/settings.types.js';

/** The settings of one environment as one document, without secrets and sections stored in other records. */
@Entity('environment_settings')
@ForeignKey('Environment', ['environmentId'], ['id'], { name: 'environment_settings_environment', onDelete: 'CASCADE' })
export class EnvironmentSettings {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @Column({ type: 'jsonb' })
  settings!: ProjectSettings;

  /** Incremented by each change. */
  @Column({ type: 'integer', default: 1 })
  version!: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
