import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { OrganizationEntity } from '../../database/index.js';
import { Organization } from '../organization.entity.js';

export const PROJECT_NAME_UNIQUE = 'projects_name';

/** One product of an organization: a sandbox and a live environment under one name. */
@Entity('projects')
@Index(PROJECT_NAME_UNIQUE, ['organizationId', 'name'], { unique: true, where: 'deleted_at IS NULL' })
@Index('projects_deleted', ['id'], { where: 'deleted_at IS NOT NULL' })
@ForeignKey(() => Organization, ['organizationId'], ['id'], { name: 'projects_organization', onDelete: 'CASCADE' })
export class Project extends OrganizationEntity {
  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;

  /** Set while its rows are being removed; to all callers it no longer exists. */
  @Column({ type: 'timestamptz', nullable: true })
  deletedAt!: Date | null;
}
