import { Injectable } from '@nestjs/common';
import type { Role } from '../auth/index.js';
import { Database, OrganizationRepository, scopedStatement } from '../database/index.js';
import { Member } from './member.entity.js';

const FIND_ROLE = scopedStatement(
  'members.findRole',
  'SELECT role FROM members WHERE organization_id = $1 AND user_id = $2',
);

@Injectable()
export class MembersRepository extends OrganizationRepository<Member> {
  constructor(database: Database) {
    super(database, Member);
  }

  /** For the guard, which has no scope yet: this is how it finds out whether there is one. */
  async findRole(userId: string, organizationId: string): Promise<Role | null> {
    return (await this.database.rows<{ role: Role }>(FIND_ROLE, [organizationId, userId]))[0]?.role ?? null;
  }
}
