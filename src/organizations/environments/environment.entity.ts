import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { EnvironmentKind } from '../../auth/index.js';
import { Project } from '../projects/project.entity.js';

/** Holds users, wallets and settings. Its id scopes their rows; the console environment belongs to no project. */
@Entity('environments')
@Index('environments_of_project', ['projectId', 'kind'], { unique: true })
@Index('environments_one_console', ['kind'], { unique: true, where: "kind = 'console'" })
@Index('environments_deleted', ['id'], { where: 'deleted_at IS NOT NULL' })
@Check('environments_kind', "kind IN ('sandbox', 'live', 'console')")
@Check('environments_owner', "(kind = 'console') = (project_id IS NULL AND organization_id IS NULL)")
@ForeignKey(() => Project, ['projectId'], ['id'], { name: 'environments_project', onDelete: 'CASCADE' })
export class Environment {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'uuid', nullable: true })
  projectId!: string | null;

  @Column({ type: 'uuid', nullable: true })
  organizationId!: string | null;

  @Column({ type: 'text' })
  kind!: EnvironmentKind;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;

  /** Set while its rows are being removed; to all callers it no longer exists. */
  @Column({ type: 'timestamptz', nullable: true })
  deletedAt!: Date | null;
}
