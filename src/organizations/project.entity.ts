import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { OrganizationEntity } from '../database/index.js';
import { Organization } from './organization.entity.js';

export const PROJECT_NAME_UNIQUE = 'projects_name';

/** One product of an organization: a sandbox and a live environment under one name. */
@Entity('projects')
@Index(PROJECT_NAME_UNIQUE, ['organizationId', 'name'], { unique: true })
@ForeignKey(() => Organization, ['organizationId'], ['id'], { name: 'projects_organization', onDelete: 'CASCADE' })
export class Project extends OrganizationEntity {
  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
