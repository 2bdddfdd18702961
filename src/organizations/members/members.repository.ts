import { Injectable } from '@nestjs/common';
import type { OrganizationId, Role, TenantMembership } from '../../auth/index.js';
import { Database, OrganizationRepository, asSystem, scopedStatement, type Transaction } from '../../database/index.js';
import { Member } from './member.entity.js';
import { MAX_MEMBERS } from './member.errors.js';

/** A membership without timestamps. */
export type MemberRow = Pick<Member, 'id' | 'userId' | 'role'>;

const COLUMNS = 'id, user_id AS "userId", role';

const FIND_ROLE = scopedStatement(
  'members.findRole',
  'SELECT role FROM members WHERE organization_id = $1 AND user_id = $2',
);
const FIND_MEMBERSHIP = scopedStatement(
  'members.findMembership',
  `SELECT role, ARRAY(SELECT mfa_device_type FROM organization_mfa_settings
     WHERE organization_id = $1 AND enabled_at IS NOT NULL) AS factors
   FROM members WHERE organization_id = $1 AND user_id = $2`,
);
const LIST = scopedStatement(
  'members.list',
  `SELECT ${COLUMNS} FROM members WHERE organization_id = $1 ORDER BY id LIMIT ${MAX_MEMBERS}`,
);
const FIND_ALL = scopedStatement(
  'members.findAll',
  `SELECT ${COLUMNS} FROM members WHERE organization_id = $1 AND (user_id = $2 OR id = ANY ($3::uuid[]))`,
);
const COUNT_OWNERS = scopedStatement(
  'members.countOwners',
  "SELECT count(*)::int AS count FROM members WHERE organization_id = $1 AND role = 'owner'",
);
const JOIN = scopedStatement(
  'members.join',
  `INSERT INTO members (organization_id, id, user_id, role) SELECT $1::uuid, $2::uuid, $3::uuid, $4::text
   WHERE (SELECT count(*) FROM members WHERE organization_id = $1) < ${MAX_MEMBERS} RETURNING ${COLUMNS}`,
);
const LIST_OF_PERSON = asSystem('a person leaves all their organizations at once').statement(
  'members.listOfPerson',
  `SELECT organization_id AS "organizationId", ${COLUMNS} FROM members WHERE user_id = $1 ORDER BY organization_id`,
);

@Injectable()
export class MembersRepository extends OrganizationRepository<Member> {
  constructor(database: Database) {
    super(database, Member);
  }

  /** For the guard, which has no scope yet and uses this to establish one. */
  async findMembership(userId: string, organizationId: string): Promise<TenantMembership | null> {
    return (await this.database.rows<TenantMembership>(FIND_MEMBERSHIP, [organizationId, userId]))[0] ?? null;
  }

  async findRole(userId: string, organizationId: string): Promise<Role | null> {
    return (await this.database.rows<{ role: Role }>(FIND_ROLE, [organizationId, userId]))[0]?.role ?? null;
  }

  /** All members, oldest first. */
  listAll(organizationId: OrganizationId): Promise<MemberRow[]> {
    return this.database.rows<MemberRow>(LIST, [organizationId]);
  }

  /** The user's own membership and some members by id; exact while the caller holds the organization lock. */
  findAll(
    organizationId: OrganizationId,
    userId: string,
    ids: readonly string[],
    tx: Transaction,
  ): Promise<MemberRow[]> {
    return tx.rows<MemberRow>(FIND_ALL, [organizationId, userId, ids]);
  }

  /** Exact while the caller holds the lock on the organization. */
  async countOwners(organizationId: OrganizationId, tx: Transaction): Promise<number> {
    return (await tx.rows<{ count: number }>(COUNT_OWNERS, [organizationId]))[0]?.count ?? 0;
  }

  /**
   * Null when the limit is reached; exact while the caller holds the lock on the organization.
   *
   * @throws a violation of `members_once` for an existing member
   */
  async join(
    organizationId: OrganizationId,
    { id, userId, role }: MemberRow,
    tx: Transaction,
  ): Promise<MemberRow | null> {
    return (await tx.rows<MemberRow>(JOIN, [organizationId, id, userId, role]))[0] ?? null;
  }

  /** All memberships of a person, in the order in which organizations are locked. */
  listOfPerson(userId: string, tx: Transaction): Promise<(MemberRow & { organizationId: string })[]> {
    return tx.rows<MemberRow & { organizationId: string }>(LIST_OF_PERSON, [userId]);
  }
}
