import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { ProjectSettings } from './settings/settings.types.js';

/** The settings of one environment as one document; what other records hold, and secrets, are not in it. */
@Entity('environment_settings')
@ForeignKey('Environment', ['environmentId'], ['id'], { name: 'environment_settings_environment', onDelete: 'CASCADE' })
export class EnvironmentSettings {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @Column({ type: 'jsonb' })
  settings!: ProjectSettings;

  /** One more with each change. */
  @Column({ type: 'integer', default: 1 })
  version!: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
