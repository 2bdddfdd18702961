import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import type { Role } from '../../auth/index.js';
import { OrganizationEntity } from '../../database/index.js';
import { Organization } from '../organization.entity.js';

/** Links a console user to an organization, with a role. */
@Entity('members')
@Index('members_once', ['userId', 'organizationId'], { unique: true })
@Index('members_of_organization', ['organizationId', 'id'])
@Check('members_role', "role IN ('owner', 'admin', 'developer', 'viewer')")
@ForeignKey(() => Organization, ['organizationId'], ['id'], { name: 'members_organization', onDelete: 'CASCADE' })
export class Member extends OrganizationEntity {
  @Column({ type: 'uuid' })
  userId!: string;

  @Column({ type: 'text' })
  role!: Role;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
